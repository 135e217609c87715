// Going through a run: buttons and keys.

class Stepper {
  constructor(move) {
    this.move = move;
    this.place = element("output", { class: "place" });
    const button = (name, path, title, to) => element("button", { type: "button", class: name, title, "aria-label": title, onclick: () => move(to) },
      shape("svg", { class: "icon", viewBox: "0 0 16 16", width: 14, height: 14 }, shape("path", { d: path })));
    this.first = button("first", "M2 3h2v10H2zM14 3v10L5 8z", "First step (Home)", () => 0);
    this.back = button("back", "M12 3v10L3 8z", "Step back (←)", (now) => now - 1);
    this.forth = button("forth", "M4 3v10l9-5z", "Step forward (→)", (now) => now + 1);
    this.end = button("last", "M12 3h2v10h-2zM2 3v10l9-5z", "Last step (End)", (_, last) => last);
    this.node = element("div", { class: "stepper", role: "group", "aria-label": "Go through the run" }, this.first, this.back, this.place, this.forth, this.end);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || isForTyping(event.target)) return;
    const inList = event.target.closest?.(".steps") !== null;
    const moves = { ArrowLeft: (now) => now - 1, ArrowRight: (now) => now + 1, k: (now) => now - 1, j: (now) => now + 1 };
    if (inList) Object.assign(moves, { ArrowUp: moves.ArrowLeft, ArrowDown: moves.ArrowRight, Home: () => 0, End: (_, last) => last });
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    this.move(move);
  }

  show(now, last) {
    this.place.textContent = `step ${now} of ${last}`;
    this.first.disabled = this.back.disabled = now <= 0;
    this.forth.disabled = this.end.disabled = now >= last;
  }
}

function isForTyping(target) {
  return ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName) && target.type !== "checkbox";
}
