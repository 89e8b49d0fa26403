// Puts new sessions above the others on /live. The rows come from the server, which has escaped them.
"use strict";
(() => {
  const EVERY_MS = 2000;
  const MAX_ROWS = 200;
  const rows = document.getElementById("rows");
  const pause = document.getElementById("pause");
  const state = document.getElementById("state");
  const known = new Set([...rows.rows].map((row) => row.dataset.key));
  let paused = false;

  function add(html) {
    const table = document.createElement("tbody");
    table.innerHTML = html;
    for (const row of [...table.rows].reverse()) {
      if (!known.has(row.dataset.key)) {
        known.add(row.dataset.key);
        rows.prepend(row);
      }
    }
    while (rows.rows.length > MAX_ROWS) {
      known.delete(rows.lastElementChild.dataset.key);
      rows.lastElementChild.remove();
    }
  }

  async function ask() {
    const query = new URLSearchParams(location.search);
    if (rows.rows.length > 0) {
      query.set("since", rows.rows[0].dataset.time);
    }
    try {
      const answer = await fetch("/live/rows?" + query);
      if (answer.status === 401) {
        location.reload();
      } else if (answer.ok) {
        add(await answer.text());
        state.textContent = "New sessions appear by themselves.";
      }
    } catch (e) {
      state.textContent = "The gateway does not answer.";
    }
  }

  async function run() {
    if (!paused && !document.hidden) {
      await ask();
    }
    setTimeout(run, EVERY_MS);
  }

  pause.hidden = false;
  pause.addEventListener("click", () => {
    paused = !paused;
    pause.textContent = paused ? "Continue" : "Pause";
    state.textContent = paused ? "Paused." : "";
  });
  run();
})();
