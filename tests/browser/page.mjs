// Walks through a page that `map` made, in a real browser, as a person would.
//
//   node page.mjs PAGE.html [FOLDER FOR SCREENSHOTS]
//
// Ends with 0 and "ok" if everything is as it must be, else with the first thing that is not.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [file, folder] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});

async function open(options, hash = "") {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const trouble = [];
  page.on("console", (message) => trouble.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith("file:") || !request.isNavigationRequest()) trouble.push(`loads ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href + hash);
  return { page, trouble, close: () => context.close() };
}

const desk = { viewport: { width: 1360, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const read = (page, selector) => page.locator(selector).allTextContents();
const focused = (page) => page.evaluate(() => document.activeElement.textContent);

// What the page holds, asked of its own data.
async function facts(page) {
  return page.evaluate(() => {
    const data = JSON.parse(document.getElementById("data").textContent);
    return {
      title: data.title,
      items: data.items.length,
      findings: data.findings.map((one) => ({ name: one.name, hops: one.route.length, started: one.start !== null })),
      groups: data.pictures.length - 1,
      shapes: data.pictures[0].shapes.length,
      lines: data.files.flatMap((one) => Object.values(one.lines)),
      paths: data.files.map((one) => one.path),
    };
  });
}

async function routesOpen(page, known) {
  for (const [number, finding] of known.findings.entries()) {
    await page.locator("#rows .row").nth(number).click();
    assert.equal(await page.locator("#route h2").textContent(), finding.name);
    const steps = await page.locator("#route .steps li").count();
    assert.equal(steps, finding.hops + 1 + Number(finding.started), `the route of ${finding.name}`);
    assert.equal(await page.locator("#route .steps pre").count(), steps, "each hop shows its source");
    for (const quoted of await page.locator("#route .steps pre").all()) {
      assert.ok((await quoted.locator(".line").count()) > 0, "a hop shows no line");
    }
    assert.ok((await page.locator("#route mark").count()) >= steps - 1, "the place of a hop is marked");
    assert.ok((await page.locator("#canvas .on").count()) > 0, "the picture marks the route");
  }
}

async function keyboardWorks(page, known) {
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "query");
  await page.keyboard.type(known.findings[0].name.slice(0, 6));
  assert.ok((await page.locator("#rows .row").count()) >= 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#query").inputValue(), "");
  assert.ok((await focused(page)).includes(known.findings[0].name), "the first row has the focus");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#route h2").textContent(), known.findings[0].name);
  const current = () => page.locator('#route [aria-current="step"]').getAttribute("data-step");
  assert.equal(await current(), "0");
  await page.keyboard.press("j");
  assert.equal(await current(), "1");
  await page.keyboard.press("k");
  assert.equal(await current(), "0");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#route .steps").count(), 0);
  // The picture: a shape is reached by Tab and arrows, and opened with Enter.
  await page.locator('#canvas [tabindex="0"]').focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  assert.ok((await page.locator("#route h2").count()) + (await page.locator("#back:visible").count()) > 0);
  await page.keyboard.press("Escape");
  if (await page.locator("#back:visible").count()) await page.keyboard.press("Escape");
}

async function filtersWork(page, known) {
  const rows = () => page.locator("#rows .row").count();
  const all = await page.locator("#count").textContent();
  await page.locator("#offending").check();
  const fewer = await page.locator("#count").textContent();
  if (known.items > 12) assert.notEqual(fewer, all, "offenders only shows fewer");
  await page.locator("#clear").click();
  assert.equal(await page.locator("#count").textContent(), all);
  await page.locator("#query").fill("no such thing anywhere");
  assert.equal(await rows(), 0);
  assert.equal(await page.locator("#count").textContent(), "Nothing passes the filters.");
  await page.locator("#clear").click();
  await page.locator("#certainty").selectOption("name");
  await page.locator("#certainty").selectOption("");
  await page.locator("#kind").selectOption({ index: 1 });
  await page.locator("#kind").selectOption("");
  assert.equal(await page.locator("#count").textContent(), all);
}

async function textIsText(page, known) {
  assert.equal(await page.locator("#title").textContent(), known.title);
  assert.equal(await page.locator("#title *").count(), 0);
  for (const tag of ["img", "iframe", "object", "embed", "link", "base", "a[href^='javascript']"]) {
    assert.equal(await page.locator(tag).count(), 0, `the page has a ${tag}`);
  }
  assert.equal(await page.locator("script").count(), 2, "the data and the script, and no more");
  assert.equal(await page.evaluate(() => "owned" in window), false);
}

async function folds(page, known) {
  if (known.groups === 0) return;
  const group = page.locator("#canvas .group").first();
  await group.focus();
  await page.keyboard.press("Enter");
  assert.ok(await page.locator("#back").isVisible(), "a group opens its own picture");
  await page.locator("#back").click();
}

async function fitsThePhone(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels wider than the phone`);
}

try {
  const { page, trouble, close } = await open(desk);
  const known = await facts(page);
  await textIsText(page, known);
  assert.ok(known.shapes <= 140, `${known.shapes} shapes cannot be read`);
  if (known.findings.length > 0) {
    await routesOpen(page, known);
    await textIsText(page, known);
    await keyboardWorks(page, known);
  }
  await filtersWork(page, known);
  await folds(page, known);
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  const printed = await read(page, "#prints h2");
  assert.deepEqual(printed, known.findings.map((finding) => finding.name), "paper shows every finding");
  assert.deepEqual(trouble, []);
  await close();
  const small = await open(phone);
  if (known.findings.length > 0) await small.page.locator("#rows .row").first().tap();
  await fitsThePhone(small.page);
  assert.deepEqual(small.trouble, []);
  await small.close();
  const direct = await open(desk, known.findings.length > 0 ? "#finding-0" : "#item-0");
  assert.ok((await direct.page.locator("#route .steps").count()) > 0, "an address opens its route");
  assert.deepEqual(direct.trouble, []);
  await direct.close();
  if (folder) {
    mkdirSync(folder, { recursive: true });
    for (const [size, options] of [["desk", desk], ["phone", phone]]) {
      for (const colorScheme of ["light", "dark"]) {
        const shot = await open({ ...options, colorScheme }, "#finding-0");
        await shot.page.screenshot({ path: `${folder}/${size}-${colorScheme}.png`, fullPage: size === "phone" });
        await shot.close();
      }
    }
    const paper = await open(desk);
    await paper.page.pdf({ path: `${folder}/paper.pdf`, format: "A4" });
    await paper.close();
  }
  console.log("ok");
} finally {
  await browser.close();
}
