// Python: a worker, which starts with the first message, and anew with the next one after it was ended. What it
// says goes to the listener of that name, with whether Python had started.
export class Python {
  #address;
  #worker = null;
  started = false;
  listeners = {};

  constructor(address) {
    this.#address = address;
  }

  send(message) {
    this.start();
    this.#worker.postMessage(message);
  }

  start() {
    if (this.#worker) return;
    const worker = new Worker(this.#address, { type: "module" });
    this.#worker = worker; // what one says that has been ended is not heard
    worker.onmessage = ({ data }) => worker === this.#worker && this.#receive(data);
    worker.onerror = ({ message = "the worker did not start" }) =>
      worker === this.#worker && this.#receive({ say: "broken", error: message });
    worker.postMessage({ do: "start" });
  }

  #receive(message) {
    const { started } = this;
    if (message.say === "ready") this.started = true;
    if (message.say === "broken") this.end();
    this.listeners[message.say]?.({ ...message, started });
  }

  end() {
    this.#worker?.terminate();
    this.#worker = null;
    this.started = false;
  }
}
