// Elements of a page: for figures, the widgets of exercises, and the scripts of the book.

export const setAttribute = (node, name, value) => {
  if (name.startsWith("on")) node.addEventListener(name.slice(2).toLowerCase(), value);
  else if (value === undefined || value === null || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value);
};
export const setAttributes = (node, attributes) => {
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
  return node;
};

// An element: element("input", { type: "range", onInput: f }, children …).
export const element = (tag, attributes = {}, ...children) => {
  const node = setAttributes(document.createElement(tag), attributes);
  node.append(...children);
  return node;
};
