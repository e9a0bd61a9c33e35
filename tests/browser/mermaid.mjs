// Parses a flowchart with Mermaid's own parser, in the browser that it is made for.
//
//   node mermaid.mjs CHART.mmd
//
// Prints the labels that it shows, one a line.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const text = readFileSync(process.argv[2], "utf8");
const library = fileURLToPath(new URL("node_modules/mermaid/dist/mermaid.min.js", import.meta.url));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const page = await browser.newPage();
  await page.addScriptTag({ path: library });
  const { kind, labels } = await page.evaluate(async (chart) => {
    window.mermaid.initialize({ startOnLoad: false, securityLevel: "strict" });
    const parsed = await window.mermaid.parse(chart);
    const { svg } = await window.mermaid.render("chart", chart);
    const holder = document.createElement("div");
    holder.innerHTML = svg;
    return {
      kind: parsed.diagramType,
      labels: [...holder.querySelectorAll(".nodeLabel")].map((label) => label.innerText || label.textContent),
      foreign: holder.querySelectorAll("img, script").length,
    };
  }, text);
  assert.match(kind, /^flowchart/);
  console.log(labels.join("\n"));
} finally {
  await browser.close();
}
