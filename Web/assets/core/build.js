// Elements by function call: what `innerHTML` does, for pages whose policy forbids it (Trusted Types).

const drawn = "http://www.w3.org/2000/svg";

/** An HTML element with attributes (`true` sets an empty one, `false` and null none) and children. */
export function html(name, attributes = {}, ...children) {
  return made(document.createElement(name), attributes, children);
}

/** The same for a part of a drawing. */
export function svg(name, attributes = {}, ...children) {
  return made(document.createElementNS(drawn, name), attributes, children);
}

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat());
  return element;
}
