"use strict";
// The page says everything without this. It adds two things: a click on a
// heading sorts its table, and a pointer on a chart shows the values there.

// A cell as a number: 1.004 % (0.998 to 1.010) is 0.01004, and so comes after
// 9e-7; 3 of 100 (3 %) is 0.03; a bound comes just below or above its value. A
// dash is nothing, and so are words.
function value(words) {
  let text = words.replace(/,(?=\d{3})/g, "").trim();
  const part = / of .*\((.*)\)$/.exec(text);
  if (part) text = part[1];
  const found = /^([<≤>≥+]?)\s*(-?(?:∞|\d+(?:\.\d+)?(?:e[-+]?\d+)?))(\s*%)?/i.exec(text);
  if (!found) return null;
  let number = Number(found[2].replace("∞", "Infinity"));
  if (found[3]) number /= 100;
  if (found[1] === "<") number *= 1 - 1e-9;
  if (found[1] === ">") number *= 1 + 1e-9;
  return number;
}

const words = new Intl.Collator("en", { numeric: true });

// Cells with nothing stay at the end either way.
function inOrder(rows, column, numeric, sign) {
  const key = (row) => {
    const text = row.cells[column].textContent.trim();
    if (numeric) return value(text);
    return text === "" || text === "–" ? null : text.replace(/,(?=\d{3})/g, "");
  };
  const compare = numeric ? (a, b) => a - b || 0 : words.compare;
  return rows
    .map((row) => [key(row), row])
    .sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      return sign * compare(a, b);
    })
    .map(([, row]) => row);
}

// First click ascending, second descending, third as it was written.
function sortable(table) {
  const body = table.tBodies[0];
  const written = [...body.rows];
  if (written.length < 2) return;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const next = { none: "ascending", ascending: "descending", descending: "none" };
      const order = next[head.getAttribute("aria-sort") ?? "none"];
      for (const other of heads) other.removeAttribute("aria-sort");
      if (order !== "none") head.setAttribute("aria-sort", order);
      const numeric = head.classList.contains("n");
      const sign = order === "descending" ? -1 : 1;
      body.append(...(order === "none" ? written : inOrder(written, column, numeric, sign)));
    });
  });
}

// How far a pointer may be from a mark, in pixels; how near to each other marks
// are listed together, and how many; half the size of a mark, in units of the chart.
const REACH = 14, TOGETHER = 1, MOST = 6, HALF = 4;

// The marks of a chart: where they lie, and what they say, a line each: two corners,
// and the words between tabs.
function marksOf(chart) {
  return chart.querySelector("[data-says]").dataset.says.split("\n").map((line) => {
    const [place, ...words] = line.split("\t");
    const [left, top, right, bottom] = place.split(" ").map(Number);
    return { left, top, right, bottom, text: words.join("\n") };
  });
}

// What the marks say who lie under a pointer, the nearest first.
function said(chart, marks, x, y) {
  const onPage = chart.getScreenCTM();
  const at = new DOMPoint(x, y).matrixTransform(onPage.inverse());
  const far = (mark) =>
    onPage.a *
    Math.max(0, Math.hypot(Math.max(mark.left - at.x, 0, at.x - mark.right), Math.max(mark.top - at.y, 0, at.y - mark.bottom)) - HALF);
  const near = marks
    .map((mark) => ({ far: far(mark), text: mark.text }))
    .filter((mark) => mark.far <= REACH)
    .sort((a, b) => a.far - b.far);
  const all = near.filter((mark) => mark.far <= near[0].far + TOGETHER).map((mark) => mark.text);
  const texts = [...new Set(all)];
  const more = texts.length > MOST ? [`and ${texts.length - MOST} more here`] : [];
  return [...texts.slice(0, MOST), ...more].join("\n\n");
}

// Shows values beside the pointer, within the window.
function pointable(chart, tip) {
  // Else the browser would show the title of the chart beside the values.
  const title = chart.querySelector(":scope > title");
  chart.setAttribute("aria-label", title.textContent);
  chart.removeAttribute("aria-labelledby");
  title.remove();
  const marks = marksOf(chart);
  const show = (event) => {
    const text = said(chart, marks, event.clientX, event.clientY);
    tip.hidden = text === "";
    tip.textContent = text;
    const beside = (at, size, room) => Math.max(0, at + 14 + size < room ? at + 14 : at - 14 - size);
    const page = document.documentElement;
    tip.style.left = `${beside(event.clientX, tip.offsetWidth, page.clientWidth)}px`;
    tip.style.top = `${beside(event.clientY, tip.offsetHeight, page.clientHeight)}px`;
  };
  chart.addEventListener("pointermove", show);
  chart.addEventListener("pointerdown", show);
  chart.addEventListener("pointerleave", () => (tip.hidden = true));
}

const tip = document.createElement("div");
tip.id = "tip";
tip.hidden = true;
document.body.append(tip);
addEventListener("scroll", () => (tip.hidden = true), { passive: true });
document.querySelectorAll("table").forEach(sortable);
document.querySelectorAll("svg.chart").forEach((chart) => pointable(chart, tip));
