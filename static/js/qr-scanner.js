// A QR code scanner in the page, for browsers with BarcodeDetector. A code leads to the same page as when scanned with
// the phone's camera app, and only to that page. In other browsers the buttons stay hidden: codes are typed, or opened
// with the camera app.
"use strict";
(() => {
  const dialog = document.querySelector("[data-scan-dialog]");
  const can = "BarcodeDetector" in self && navigator.mediaDevices?.getUserMedia && dialog?.showModal;
  if (!can) return;
  const BEAT = 150; // ms between two attempts
  const video = dialog.querySelector("video");
  const line = dialog.querySelector("[data-scan-status]");
  const WHY = {
    NotAllowedError: "The camera is blocked. Allow it for this site in your browser, or enter the code.",
    NotFoundError: "This device has no camera. Enter the code instead.",
    OverconstrainedError: "This device has no camera. Enter the code instead.",
    NotReadableError: "Another app is using the camera. Close it and try again, or enter the code.",
  };
  let detector = null;
  let stream = null;
  let timer = 0;
  let turn = 0; // increased at each stop, to recognise a camera that started too late
  const say = (text) => {
    if (line.textContent !== text) line.textContent = text;
  };

  // Return the path if the code links to the expected page, under any host name of the site.
  const leadsTo = (text) => {
    try {
      const { pathname, search, hash } = new URL(text);
      return pathname === dialog.dataset.scanDialog && search + hash ? pathname + search + hash : "";
    } catch {
      return "";
    }
  };
  const end = (found) => {
    for (const track of found?.getTracks() ?? []) track.stop();
  };
  const stop = () => {
    clearTimeout(timer);
    end(stream);
    stream = video.srcObject = null;
    turn += 1;
  };
  const look = async () => {
    if (!stream) return;
    const codes = await detector.detect(video).catch(() => []); // no image yet
    if (!stream) return;
    const to = codes.map((code) => leadsTo(code.rawValue)).find(Boolean);
    if (to) {
      dialog.close();
      location.assign(to);
      return;
    }
    if (codes.length) say("Wrong code. Point the camera at the QR code on the other phone.");
    timer = setTimeout(look, BEAT);
  };
  const start = async () => {
    say("Starting the camera …");
    dialog.showModal();
    const mine = turn;
    try {
      const found = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      if (mine !== turn) return end(found); // stopped before the camera started
      video.srcObject = stream = found;
      video.play().catch(() => {}); // stopped before the video played
      say("Point the camera at the whole QR code.");
      look();
    } catch (error) {
      if (mine !== turn) return;
      stop();
      say(WHY[error.name] ?? "The camera doesn’t start. Enter the code instead.");
    }
  };

  dialog.addEventListener("close", stop);
  addEventListener("pagehide", () => dialog.close());
  document.addEventListener("visibilitychange", () => document.hidden && dialog.close());
  dialog.querySelector("[data-scan-stop]").addEventListener("click", () => dialog.close());
  self.BarcodeDetector.getSupportedFormats().then((formats) => {
    if (!formats.includes("qr_code")) return;
    detector = new self.BarcodeDetector({ formats: ["qr_code"] });
    for (const button of document.querySelectorAll("[data-scan]")) {
      button.hidden = false;
      button.addEventListener("click", start);
    }
  }).catch(() => {/* the buttons stay hidden */});
})();
