// What all our views share: reading a payload, and the theme's colours.

const SCALE = 65534, FORBIDDEN = 65535;

// The header and the 16-bit numbers that payload.py packed.
function unpack(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const rest = bytes.slice(4 + length); // a copy begins at an even place of its own buffer
  return { header, numbers: new Uint16Array(rest.buffer, 0, rest.length >> 1) };
}

const weightOf = (number, most) => (number === FORBIDDEN ? 0 : (number / SCALE) * most);

function rgb(colour) {
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

function isDark(element) {
  const [r, g, b] = rgb(getComputedStyle(element).getPropertyValue("--st-background-color").trim() || "#fff");
  return r * 0.299 + g * 0.587 + b * 0.114 < 128;
}

// 256 colours of the theme's own scale from 0 to 1, evenly between its ten.
function ramp(element) {
  const listed = getComputedStyle(element).getPropertyValue("--st-chart-sequential-colors");
  const stops = (listed.match(/#[0-9a-f]{6}|rgba?\([^)]*\)/gi) ?? ["#ecf5fb", "#151c53"]).map(rgb);
  return Array.from({ length: 256 }, (_, i) => {
    const place = (i / 255) * (stops.length - 1), below = Math.min(Math.floor(place), stops.length - 2);
    return stops[below].map((c, k) => Math.round(c + (stops[below + 1][k] - c) * (place - below)));
  });
}

// The colour scales a visitor can choose: where on the scale a share of `most` lies.
const SHADES = {
  linear: (share) => share,
  root: Math.sqrt,
  log: (share) => (share <= 0.001 ? 0 : 1 + Math.log10(share) / 3), // three decades
};
