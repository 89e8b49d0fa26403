// Tells the server the time zone of this browser, so that pages show local time.
"use strict";
(() => {
  const told = "zone=" + Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isTold = () => document.cookie.split("; ").includes(told);
  if (!isTold()) {
    document.cookie = told + "; Path=/; SameSite=Strict; Max-Age=31536000";
    if (isTold() && document.querySelector("time")) {
      location.reload();
    }
  }
})();
