// The theme's colours, as Streamlit gives them to a view.

export function rgb(colour) {
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

export const variable = (element, name) => getComputedStyle(element).getPropertyValue(name);

export function schemeOf(element) {
  const [r, g, b] = rgb(variable(element, "--st-background-color").trim());
  return r * 0.299 + g * 0.587 + b * 0.114 < 128 ? "dark" : "light";
}
