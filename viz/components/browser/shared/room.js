// How tall a picture may be. On a large screen, and on a wall, the page gives its pictures a share of the
// screen (--fill); elsewhere it gives none, and a picture is as tall as it likes.
export function roomOf(root) {
  const style = getComputedStyle(root), number = (name) => parseFloat(style.getPropertyValue(name));
  return ((number("--fill") || 0) * innerHeight) / (number("--zoom") || 1);
}
