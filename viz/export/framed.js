// In a notebook a page stands in a frame, over a still picture of what it shows (viz/notebook/framed.py).

// Where scripts run the picture goes, and the frame is as tall as its page; elsewhere the picture stays.
export function takePlace() {
  const frame = window.frameElement; // null on a page of its own, and in frames that are not of this notebook
  if (!frame?.classList.contains("headlight")) return;
  frame.previousElementSibling.style.display = "none";
  frame.style.opacity = 1;
  new ResizeObserver(() => {
    frame.style.height = `${Math.ceil(document.body.getBoundingClientRect().height)}px`;
  }).observe(document.body);
}
