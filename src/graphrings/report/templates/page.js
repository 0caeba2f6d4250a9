"use strict";
// Without this script everything can still be read: it sorts tables, shows values of marks, copies code.
const number = text => {
  const found = text.replace(/\u2212/g, "-").replace(/,/g, "").match(/^[<>+\s]*(-?\d+(\.\d+)?)/);
  return found ? parseFloat(found[1]) : null;
};
const key = (row, column) => {
  const cell = row.cells[column];
  if (cell.dataset.value !== undefined) return number(cell.dataset.value);
  return number(cell.textContent.trim());
};
const compare = (a, b, column, sign) => {
  const [x, y] = [key(a, column), key(b, column)];
  if (x !== null && y !== null) return sign * (x - y);
  if (x !== null || y !== null) return x === null ? 1 : -1;
  return sign * a.cells[column].textContent.localeCompare(b.cells[column].textContent);
};
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  if (!table.tHead || body.rows.length < 2) continue;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = column ? "descending" : "ascending";
      const second = column ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? second : first;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      body.append(...[...body.rows].sort((a, b) => compare(a, b, column, sign)));
    });
  });
}
const tip = document.createElement("div");
tip.id = "tip";
tip.setAttribute("role", "status");
document.body.append(tip);
let shown = null;
const show = mark => {
  if (shown) shown.classList.remove("on");
  shown = mark;
  tip.textContent = mark ? mark.dataset.tip : "";
  if (!mark) return;
  mark.classList.add("on");
  const box = mark.getBoundingClientRect();
  const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
  tip.style.left = Math.max(8, Math.min(room, box.left + box.width / 2 - tip.offsetWidth / 2)) + "px";
  const above = box.top - tip.offsetHeight - 8;
  tip.style.top = (above > 0 ? above : box.bottom + 8) + window.scrollY + "px";
};
for (const mark of document.querySelectorAll(".t")) {
  const title = mark.querySelector("title");
  mark.dataset.tip = title.textContent;
  title.remove();
  mark.addEventListener("pointerenter", () => show(mark));
  mark.addEventListener("pointerleave", () => show(null));
}
for (const chart of document.querySelectorAll("[role=img]")) {
  const marks = [...chart.querySelectorAll(".t")];
  if (!marks.length) continue;
  let place = -1;
  const step = by => show(marks[place = (place + by + marks.length) % marks.length]);
  chart.setAttribute("tabindex", "0");
  chart.setAttribute("aria-describedby", "arrows");
  chart.addEventListener("focus", () => { place = -1; step(1); });
  chart.addEventListener("blur", () => show(null));
  chart.addEventListener("keydown", event => {
    const by = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1}[event.key];
    if (event.key === "Escape") show(null);
    if (!by) return;
    event.preventDefault();
    step(by);
  });
}
for (const button of document.querySelectorAll(".copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.parentElement.querySelector("pre");
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected";
    }
  });
}
const links = new Map([...document.querySelectorAll("nav a")].map(link => [link.hash.slice(1), link]));
const seen = new Set();
const observer = new IntersectionObserver(entries => {
  for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target.dataset.section);
  const current = [...links.keys()].find(id => seen.has(id));
  links.forEach((link, id) => id === current ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"));
}, {rootMargin: "-15% 0px -60% 0px"});
links.forEach((link, id) => {
  const section = document.getElementById(id).closest("section");
  if (!section) return;
  section.dataset.section = id;
  observer.observe(section);
});
