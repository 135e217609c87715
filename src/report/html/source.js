// The text of the model with its line numbers; the lines of the current step are marked.

class Source {
  constructor(scene) {
    this.lines = scene.source.map((text, index) => element("div", { class: "line", "data-line": index + 1 },
      element("span", { class: "line-number" }, index + 1), element("code", {}, text || " ")));
    this.box = element("div", { class: "source-box", tabindex: 0, role: "region", "aria-label": "Source" }, this.lines);
    this.node = element("div", { class: "source" }, element("p", { class: "file-name" }, scene.file), this.box);
    this.marked = [];
  }

  mark(numbers, kind = "marked") {
    for (const line of this.marked) line.classList.remove("marked", "blamed");
    this.marked = numbers.map((number) => this.lines[number - 1]).filter(Boolean);
    for (const line of this.marked) line.classList.add(kind);
    if (this.marked.length) this.reveal(this.marked[0]);
  }

  reveal(line) {
    const middle = line.offsetTop - (this.box.clientHeight - line.offsetHeight) / 2;
    this.box.scrollTop = Math.max(0, middle);
  }

  blame(number) {
    const line = this.lines[number - 1];
    line?.classList.add("blamed");
    if (line && !this.marked.length) this.reveal(line);
    if (line) this.marked.push(line);
  }

  // Where a link to a line leads.
  goTo(number) {
    const line = this.lines[number - 1];
    if (!line) return;
    this.reveal(line);
    this.box.scrollIntoView({ block: "nearest" });
    line.classList.remove("flash");
    void line.offsetWidth; // so that the flash begins anew
    line.classList.add("flash");
  }
}
