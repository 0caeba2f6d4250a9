// The search runs in a worker, which browsers do not start from the disk: a hidden frame does its work there.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = "<!doctype html><title>search</title>";
      this.ready = new Promise(done => frame.addEventListener("load", () => {
        const inside = frame.contentWindow;
        inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", {data}));
        const script = inside.document.createElement("script");
        script.src = url;
        script.addEventListener("load", () => done(inside));
        inside.document.body.append(script);
      }, {once: true}));
      document.documentElement.append(frame);
    }
    postMessage(data) {
      this.ready.then(inside => inside.dispatchEvent(new MessageEvent("message", {data})));
    }
  };
}
