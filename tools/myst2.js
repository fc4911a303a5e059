// Stands before a figure's module: behind MyST's model there is no Python, so it throws at `off`,
// `save_changes` and `send`. Here nothing is sent, and `off` is kept among our own listeners.
const lent = (model) => {
  const heard = new Map();
  return {
    get: (name) => model.get(name),
    set: (name, value) => model.set(name, value),
    on: (event, callback) => {
      if (!heard.has(event)) {
        heard.set(event, new Set());
        model.on(event, (...values) => [...heard.get(event)].forEach((each) => each(...values)));
      }
      heard.get(event).add(callback);
    },
    off: (event, callback) => heard.get(event)?.delete(callback),
    save_changes: () => {},
    send: () => {},
  };
};
