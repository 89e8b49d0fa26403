package io.bloomgate.config.settings;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.yaml.Section;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code alarms}: the recipients of what {@code status} shows as an alarm. Immutable;
 * read by the gateway.
 *
 * @param to the recipient as written; {@code null} for no mail
 * @param url the address that gets a POST; {@code null} for none. It may hold a key
 */
public record AlarmSettings(@Nullable String to, @Nullable URI url) {

  /** Characters of an address, at most. */
  private static final int MAX_URL = 2_000;

  /** Reads the section; a recipient elsewhere is possible, and rarely meant. */
  static AlarmSettings bind(Section s, List<String> domains) {
    String to = s.orNull("to", ReportSettings.MAILBOX);
    s.warnIf(
        to != null && !ReportSettings.isAt(to, OwnDomains.of(domains)),
        "to",
        "alarms go to an address that is not at one of our domains",
        "the mail server may refuse to relay them; name a mailbox at one of `domains`");
    URI url =
        s.orNull("url", Values.hidden("web address", AlarmSettings::shown, AlarmSettings::address));
    s.warnIf(
        url != null && new FeedUrl(url.toString()).isPlainToTheWorld(),
        "url",
        "alarms go over plain HTTP, which everybody on the way can read",
        "write https://");
    return new AlarmSettings(to, url);
  }

  /** The address is hidden in messages too: its path is often all that a stranger needs. */
  private static URI address(String text) throws BadValueException {
    URI url =
        Values.address(text, Values.WEB, "this is not a web address", "write https://HOST/PATH");
    if (url.getUserInfo() != null) {
      throw new BadValueException(
          "the web address has a user name or password", "it would not be sent; remove it");
    }
    if (text.length() > MAX_URL || url.getRawFragment() != null) {
      throw new BadValueException(
          "the web address is longer than " + MAX_URL + " characters, or has a fragment (#)",
          "write https://HOST/PATH");
    }
    return url;
  }

  /** Scheme, host and port: the rest may be a key. */
  private static String shown(String text) {
    return text.isEmpty() ? "" : new FeedUrl(text).server() + "...";
  }

  /** The server of {@link #url} for people; empty without one. */
  public String shownUrl() {
    return url == null ? "" : shown(url.toString());
  }

  /** The section without what may be a key. */
  @Override
  public String toString() {
    return "AlarmSettings[to=" + to + ", url=" + shownUrl() + "]";
  }
}
