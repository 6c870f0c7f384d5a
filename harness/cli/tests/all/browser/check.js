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

// Whether a filled shape cannot be seen.
function isFlat(path) {
  const box = path.getBBox();
  return path.classList.contains("f") && box.width + box.height === 0;
}

// What a pointer shows on the middle mark of a chart, and what is left of it
// when it goes away.
function pointed(chart) {
  const paths = [...chart.querySelectorAll("path")];
  const lines = chart.querySelector("[data-says]").dataset.says.split("\n").filter(Boolean);
  const found = {
    name: chart.closest("figure").id,
    marks: lines.length,
    flat: paths.filter(isFlat).length,
  };
  if (lines.length === 0) return found;
  const [place, ...says] = lines[Math.floor(lines.length / 2)].split("\t");
  const [left, top, right, bottom] = place.split(" ").map(Number);
  chart.scrollIntoView({ block: "center", inline: "center" });
  const middle = () => new DOMPoint((left + right) / 2, (top + bottom) / 2).matrixTransform(chart.getScreenCTM());
  scrollBy(0, middle().y - innerHeight / 2);
  chart.parentElement.scrollLeft += middle().x - innerWidth / 2;
  const { x, y } = middle();
  point("pointermove", x, y);
  const tip = document.getElementById("tip") ?? document.createElement("div");
  const box = tip.getBoundingClientRect();
  found.says = says.join("\n");
  found.shown = tip.hidden ? "" : tip.textContent;
  found.inside = box.width > 0 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
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
  first: [...document.querySelectorAll("main table")].slice(0, 1).flatMap(sorted),
  charts: [...document.querySelectorAll("svg.chart")].map(pointed),
  tabs,
  explore: explored(),
  nodes: document.querySelectorAll("*").length,
  unnamed: document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6):not([id])").length,
  // Tables that stand before the first chart.
  early: (() => {
    const chart = document.querySelector("figure");
    const tables = [...document.querySelectorAll("main table")];
    const isBefore = (table) => table.compareDocumentPosition(chart) & Node.DOCUMENT_POSITION_FOLLOWING;
    return chart ? tables.filter((table) => isBefore(table)).length : null;
  })(),
  // The headings of tables that are open: the glance alone is.
  unfolded: [...document.querySelectorAll("main table")]
    .filter((table) => !table.closest("details"))
    .map((table) => {
      const heads = [...document.querySelectorAll("main :is(h1, h2, h3)")];
      const isAfter = (head) => head.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING;
      return heads.filter((head) => isAfter(head)).at(-1)?.textContent;
    }),
  // Ids that more than one element has: a link leads to the first of them.
  doubled: [...document.querySelectorAll("[id]")]
    .map((element) => element.id)
    .filter((id, at, all) => all.indexOf(id) !== at),
  // Paragraphs that stand for headings: bold words alone that are no sentence.
  disguised: [...document.querySelectorAll("main p")]
    .filter((p) => p.textContent.trim() === p.querySelector(":scope > strong")?.textContent.trim())
    .map((p) => p.textContent.trim())
    .filter((words) => !words.endsWith(".")),
};
// What is folded has room too: a table scrolls in its box, not the page.
for (const folded of document.querySelectorAll("details")) folded.open = true;
findings.opened = document.documentElement.scrollWidth - document.documentElement.clientWidth;
findings.loose = [...document.querySelectorAll("main table")].filter((table) => {
  const box = table.parentElement.getBoundingClientRect();
  const scrolls = getComputedStyle(table.parentElement).overflowX === "auto";
  return !scrolls || box.left < 0 || box.right > innerWidth;
}).length;
findings.wrong = wrong;
const left = document.createElement("pre");
left.id = "findings";
left.textContent = JSON.stringify(findings);
document.body.append(left);
