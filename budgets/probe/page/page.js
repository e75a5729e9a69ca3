"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // One turn plays at a time; the slider over the waveform follows it and leads it.
  let playing = null;
  for (const player of all(".player")) {
    const audio = player.querySelector("audio");
    if (!audio) continue;
    const button = player.querySelector(".play");
    const seek = player.querySelector(".seek");
    const name = button.getAttribute("aria-label").replace(/^Play /, "");
    let frame = 0;
    audio.controls = false;
    player.classList.add("ready");

    const show = () => {
      player.style.setProperty("--at", seek.value / seek.max);
    };
    const follow = () => {
      seek.value = audio.currentTime;
      show();
      frame = requestAnimationFrame(follow);
    };
    const rest = () => {
      cancelAnimationFrame(frame);
      player.classList.remove("playing");
      button.setAttribute("aria-label", "Play " + name);
    };
    audio.addEventListener("play", () => {
      if (playing && playing !== audio) playing.pause();
      playing = audio;
      player.classList.add("playing", "used");
      button.setAttribute("aria-label", "Pause " + name);
      follow();
    });
    audio.addEventListener("pause", rest);
    audio.addEventListener("ended", () => {
      rest();
      audio.currentTime = 0;
      seek.value = 0;
      show();
    });
    button.addEventListener("click", () => (audio.paused ? audio.play() : audio.pause()));
    seek.addEventListener("input", () => {
      audio.currentTime = Number(seek.value);
      player.classList.add("used");
      show();
    });
  }

  // A link to a turn unfolds it.
  const unfold = () => {
    const turn = location.hash && document.getElementById(location.hash.slice(1));
    if (!turn) return;
    turn.open = true;
    turn.querySelector("summary").focus();
    turn.scrollIntoView({ block: "start" });
  };
  addEventListener("hashchange", unfold);
  unfold();

  const sort = document.querySelector(".sort");
  if (sort) {
    const list = document.querySelector(".list");
    const turns = all(".turn", list);
    const number = (turn) => turn.id.split("-").slice(1).map(Number);
    const orders = {
      worst: (a, b) => a.dataset.worst - b.dataset.worst,
      call: (a, b) => number(a)[0] - number(b)[0] || number(a)[1] - number(b)[1],
    };
    sort.hidden = false;
    for (const button of all("button", sort)) {
      button.addEventListener("click", () => {
        for (const other of all("button", sort)) {
          other.setAttribute("aria-pressed", String(other === button));
        }
        list.append(...turns.sort(orders[button.dataset.order]));
      });
    }
  }
})();
