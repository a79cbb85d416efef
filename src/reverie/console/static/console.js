// What a page does beyond its links and forms: the drawer, keys, copying, live parts. Without it everything can be read.
"use strict";
(() => {
  const $ = (q, at = document) => at.querySelector(q);
  const drawer = $("#drawer");
  let opener = null;

  // The drawer shows what htmx has put into it.
  const closeDrawer = () => {
    if (!drawer || drawer.hidden) return false;
    drawer.hidden = true;
    drawer.replaceChildren();
    if (opener && opener.isConnected) opener.focus();
    return true;
  };
  const openDrawer = () => {
    if (!drawer || !drawer.firstElementChild || $(".close", drawer)) return;
    const close = document.createElement("button");
    close.type = "button";
    close.className = "quiet close";
    close.textContent = "Close";
    close.addEventListener("click", closeDrawer);
    drawer.prepend(close);
    drawer.hidden = false;
    close.focus();
  };
  if (drawer) new MutationObserver(openDrawer).observe(drawer, { childList: true });
  document.addEventListener("click", (event) => {
    const link = event.target.closest('[hx-target="#drawer"]');
    if (link && !drawer.contains(link)) opener = link;
  });

  // A narrow window: the screen one is on is seen in the row of screens, and unused filters make room.
  if (window.matchMedia("(max-width: 52rem)").matches) {
    const current = $(".side nav [aria-current]");
    if (current) current.closest("nav").scrollLeft = current.offsetLeft - 60;
    const filters = $("[data-fold='1']");
    if (filters) filters.open = false;
  }

  // Copying.
  const copied = (button, text) => navigator.clipboard.writeText(text).then(() => {
    const before = button.textContent;
    button.textContent = "copied";
    setTimeout(() => { button.textContent = before; }, 900);
  }, () => {});
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy], [data-copy-from]");
    if (!button) return;
    copied(button, button.dataset.copy ?? $(button.dataset.copyFrom).textContent);
  });

  // A form that asks before it acts.
  document.addEventListener("submit", (event) => {
    const asks = event.target.dataset.confirm;
    if (asks && !window.confirm(asks)) event.preventDefault();
  });

  // Live parts: an event means that this part of the page is read anew.
  const follow = (part) => {
    const source = new EventSource(part.dataset.events);
    let waits = false;
    const refresh = async () => {
      if (waits) return;
      waits = true;
      await new Promise((done) => setTimeout(done, 200));
      waits = false;
      const page = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!page.ok) return;
      const fresh = new DOMParser().parseFromString(await page.text(), "text/html").querySelector(part.dataset.refresh);
      const old = $(part.dataset.refresh);
      if (!fresh || !old) return;
      if (!fresh.dataset.events) source.close();
      old.replaceWith(document.importNode(fresh, true));
      if (window.htmx) htmx.process($(part.dataset.refresh));
    };
    // What stands here is old while nobody answers: that is said, and taken back when somebody does.
    const lost = document.createElement("p");
    lost.className = "told warn lost";
    lost.setAttribute("role", "status");
    source.addEventListener("error", () => setTimeout(() => {
      if (source.readyState === EventSource.OPEN || lost.isConnected || !$(part.dataset.refresh)?.dataset.events) return;
      lost.textContent = `The server no longer answers (${new Date().toLocaleTimeString()}). What stands here is from before: reload the page when it runs again. A night goes on where it stood.`;
      $("main").prepend(lost);
    }, 1500));
    source.addEventListener("open", () => { if (lost.isConnected) { lost.remove(); refresh(); } });
    for (const name of ["night", "step", "end", "news"]) source.addEventListener(name, refresh);
    window.addEventListener("pagehide", () => source.close(), { once: true });
  };
  document.querySelectorAll("[data-events]").forEach(follow);

  // Keys.
  let gone = 0;
  let at = -1;
  const rows = () => [...document.querySelectorAll("main .row")];
  const move = (step) => {
    const all = rows();
    if (!all.length) return;
    all[at]?.classList.remove("at");
    at = Math.min(all.length - 1, Math.max(0, at + step));
    all[at].classList.add("at");
    all[at].scrollIntoView({ block: "nearest" });
    ($(".open", all[at]) ?? all[at]).focus({ preventScroll: true });
  };
  // Leaving the box is no new question: its list was made while it was typed.
  document.addEventListener("change", (event) => { if (event.target.id === "q") event.stopPropagation(); }, true);
  // A list that is made anew while somebody walks through it keeps them where they were.
  let walked = false;
  document.addEventListener("htmx:beforeSwap", (event) => { walked = event.detail.target.contains(document.activeElement) && at >= 0; });
  document.addEventListener("htmx:afterSettle", () => { if (walked) move(0); walked = false; });
  const press = (letter) => {
    const row = rows()[at] ?? rows()[0];
    const button = (row && $(`.key-${letter}`, row)) || $(`.undo .key-${letter}`);
    if (button) button.click();
    return Boolean(button);
  };
  document.addEventListener("click", (event) => {
    const skip = event.target.closest("[data-skip]");
    if (!skip) return;
    rows()[at]?.classList.remove("at");
    at = rows().indexOf(skip.closest(".row"));
    move(1);
  });
  document.addEventListener("click", (event) => { if (event.target.closest("[data-help]")) $("#help").showModal(); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && closeDrawer()) return event.preventDefault();
    if (event.target.id === "q" && event.key === "ArrowDown") { event.preventDefault(); at = -1; return move(1); }
    if (event.target.matches("input, textarea, select")) return;
    const soon = Date.now() - gone < 1500;
    gone = 0;
    if (soon) {
      const link = $(`[data-go="${CSS.escape(event.key)}"]`);
      if (link) { event.preventDefault(); location.href = link.href; }
      return;
    }
    if (event.key === "g") gone = Date.now();
    else if (event.key === "/") {
      event.preventDefault();
      const box = $("#q");
      if (box) { box.focus(); box.select(); } else { const link = $('[data-go="m"]'); if (link) location.href = link.href; }
    } else if (event.key === "?") $("#help")?.showModal();
    else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if ("aresu".includes(event.key) && press(event.key)) event.preventDefault();
  });

  // Money by day.
  const chart = $("[data-chart]");
  if (chart && window.uPlot) fetch(chart.dataset.chart).then((page) => page.json()).then(({ lines }) => {
    const days = [...new Set(lines.map((line) => line.key))].sort();
    const of = (regime) => days.map((day) => lines.filter((l) => l.key === day && l.regime === regime).reduce((n, l) => n + l.cost, 0));
    const css = getComputedStyle(document.documentElement);
    const ink = css.getPropertyValue("--dim"), grid = { stroke: css.getPropertyValue("--line"), width: 1 };
    const series = (label, name) => ({ label, stroke: css.getPropertyValue(name), width: 2, points: { show: days.length < 40 } });
    const axis = { stroke: ink, grid, ticks: grid };
    new uPlot({
      width: chart.clientWidth, height: 240,
      series: [{ label: "day" }, series("asleep, $", "--p1"), series("awake, $", "--p4")],
      axes: [axis, axis],
    }, [days.map((day) => Date.parse(day) / 1000), of("asleep"), of("awake")], chart);
  });
})();
