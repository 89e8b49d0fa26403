package io.bloomgate.blocklists.url;

import io.bloomgate.config.name.WebUrl;

/** Takes a URL together with the text that it was read from, which ends with the call. */
@FunctionalInterface
interface Found {
  /**
   * One URL.
   *
   * @param from where it begins in the text, scheme included
   * @param to behind its last character
   */
  void accept(char[] text, int from, int to, WebUrl url, Form form);
}
