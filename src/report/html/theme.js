// Light or dark: as the system says, until the reader says otherwise.

const THEMES = ["auto", "light", "dark"];

function themeButton() {
  const button = element("button", { type: "button", class: "quiet theme", onclick: () => {
    apply(THEMES[(THEMES.indexOf(current) + 1) % THEMES.length]);
  } });
  let current = "auto";
  const apply = (theme) => {
    current = THEMES.includes(theme) ? theme : "auto";
    if (current === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = current;
    button.textContent = `Theme: ${current}`;
    remember("crisol-theme", current);
  };
  apply(recall("crisol-theme"));
  return button;
}

// A page from a file may have no storage.
function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* it is only forgotten */ }
}

function recall(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}
