// A view on a page without Streamlit: here are its bytes, this is its place, and nobody hears its clicks.

export function alone(view) {
  const place = document.getElementById("view").shadowRoot;
  const data = Uint8Array.from(atob(document.getElementById("data").textContent), (c) => c.charCodeAt(0));
  const show = () => view({ data, parentElement: place, setTriggerValue: () => {} });
  show();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  return { place, data };
}
