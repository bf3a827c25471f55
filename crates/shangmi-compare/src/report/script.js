"use strict";
// Language and theme: from the address (?lang=zh&theme=dark), else the last choice, else the browser.
(function () {
  var root = document.documentElement;
  var asked = new URLSearchParams(location.search);

  function remembered(name) {
    try { return localStorage.getItem("shangmi-" + name); } catch (_) { return null; }
  }
  function remember(name, value) {
    try { localStorage.setItem("shangmi-" + name, value); } catch (_) { /* a page from a file may have no store */ }
  }

  function browserLanguage() {
    return /^zh\b/i.test(navigator.language || "") ? "zh" : "en";
  }
  function setLanguage(language) {
    root.setAttribute("data-lang", language);
    root.setAttribute("lang", language === "zh" ? "zh-CN" : "en");
    document.querySelectorAll("[data-" + language + "]").forEach(function (element) {
      element.textContent = element.getAttribute("data-" + language);
    });
    document.querySelectorAll("[data-label-" + language + "]").forEach(function (element) {
      element.setAttribute("aria-label", element.getAttribute("data-label-" + language));
    });
  }
  function setTheme(theme) {
    if (theme === "light" || theme === "dark") { root.setAttribute("data-theme", theme); }
  }
  function currentTheme() {
    return root.getAttribute("data-theme") ||
      (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  }

  var language = asked.get("lang") || remembered("language") || browserLanguage();
  language = language === "zh" ? "zh" : "en";
  setTheme(asked.get("theme") || remembered("theme"));
  // At once, so that the other language never flashes; the rest when the page is there.
  root.setAttribute("data-lang", language);

  document.addEventListener("DOMContentLoaded", function () {
    setLanguage(language);
    document.getElementById("language").addEventListener("click", function () {
      language = language === "zh" ? "en" : "zh";
      setLanguage(language);
      remember("language", language);
    });
    document.getElementById("theme").addEventListener("click", function () {
      var theme = currentTheme() === "dark" ? "light" : "dark";
      setTheme(theme);
      remember("theme", theme);
    });
  });
})();
