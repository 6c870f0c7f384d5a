// Stands behind everything else: uses the page as a reader does, and leaves in
// it what it found, for the test to judge.
"use strict";
function column(table, at) {
  return [...table.tBodies[0].rows].map((row) => row.cells[at].textContent);
}

// The cells of each column as written and after each of three clicks.
function sorted(table) {
  const heads = [...table.tHead.rows[0].cells];
  return heads.map((head, at) => {
    const button = head.querySelector("button");
    const seen = { name: head.textContent, numeric: head.classList.contains("n") };
    seen.orders = [column(table, at)];
    seen.aria = [head.getAttribute("aria-sort")];
    if (!button) return seen;
    button.focus();
    seen.focus = document.activeElement === button;
    for (let click = 0; click < 3; click += 1) {
      button.click();
      seen.orders.push(column(table, at));
      seen.aria.push(head.getAttribute("aria-sort"));
    }
    return seen;
  });
}

function point(type, x, y) {
  const target = document.elementFromPoint(x, y);
  target?.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: x, clientY: y }));
}

// What a pointer shows on the middle mark of a chart, and what is left of it
// when it goes away.
function pointed(chart) {
  const marks = [...chart.querySelectorAll("g.mark")];
  const sizes = marks.map((mark) => mark.getBoundingClientRect());
  const mark = marks[Math.floor(marks.length / 2)];
  const found = {
    name: chart.closest("figure").id,
    marks: marks.length,
    flat: sizes.filter((box) => box.width + box.height === 0).length,
  };
  if (!mark) return found;
  mark.scrollIntoView({ block: "center", inline: "center" });
  const box = mark.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  point("pointermove", x, y);
  const tip = document.getElementById("tip") ?? document.createElement("div");
  const place = tip.getBoundingClientRect();
  found.says = mark.dataset.says;
  found.shown = tip.hidden ? "" : tip.textContent;
  found.inside =
    place.width > 0 && place.left >= 0 && place.top >= 0 && place.right <= innerWidth && place.bottom <= innerHeight;
  chart.dispatchEvent(new PointerEvent("pointerleave"));
  found.gone = tip.hidden;
  return found;
}

const findings = {
  width: innerWidth,
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  paper: getComputedStyle(document.body).backgroundColor,
  loaded: performance.getEntriesByType("resource").map((entry) => entry.name),
  unsortable: [...document.querySelectorAll("table")].filter(
    (table) => table.tBodies[0].rows.length > 1 && !table.tHead.querySelector("button"),
  ).length,
  trial: sorted(document.getElementById("trial")),
  first: sorted(document.querySelector("main table")),
  charts: [...document.querySelectorAll("svg.chart")].map(pointed),
};
findings.wrong = wrong;
const left = document.createElement("pre");
left.id = "findings";
left.textContent = JSON.stringify(findings);
document.body.append(left);
