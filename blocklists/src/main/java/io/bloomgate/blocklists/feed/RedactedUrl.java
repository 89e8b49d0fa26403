package io.bloomgate.blocklists.feed;

import java.net.URI;

/** URLs as they may be shown: keys stand in user names, passwords and queries. Pure. */
public final class RedactedUrl {

  private RedactedUrl() {}

  /** The URL in printable ASCII, user information as {@code ***}, the query as {@code ...}. */
  public static String of(URI url) {
    String host = url.getHost() == null ? "" : url.getHost();
    String shown =
        url.getScheme()
            + "://"
            + (url.getRawUserInfo() == null ? "" : "***@")
            + host
            + (url.getPort() < 0 ? "" : ":" + url.getPort())
            + (url.getRawPath() == null ? "" : url.getRawPath())
            + (url.getRawQuery() == null ? "" : "?...");
    StringBuilder out = new StringBuilder(shown.length());
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      out.append(c > ' ' && c <= '~' ? c : '?');
    }
    return out.toString();
  }
}
