// Tables that scroll can be reached by keys; the theme wraps them after the page is there.
const reachable = () => {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) {
    const scrolls = table.scrollWidth > table.clientWidth;
    scrolls ? table.setAttribute("tabindex", "0") : table.removeAttribute("tabindex");
  }
};
document$.subscribe(() => requestAnimationFrame(reachable));
window.addEventListener("resize", reachable);
