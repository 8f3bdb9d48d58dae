// The lab's plus and minus buttons change the number beside them instead of sending the form.
document.addEventListener("click", (event) => {
  const button = event.target.closest(".lab__form button[data-step]");
  if (!button || !window.htmx) return;
  event.preventDefault();
  const input = button.parentElement.querySelector("input");
  input.value = Math.max(0, (parseInt(input.value, 10) || 0) + parseInt(button.dataset.step, 10));
  input.dispatchEvent(new Event("change", { bubbles: true }));
});
