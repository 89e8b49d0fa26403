package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.url.InnerUrls;
import io.bloomgate.blocklists.url.Redirectors;
import io.bloomgate.config.name.WebUrl;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes keys of the links of one mail: where they lead, where a redirector says that it leads, and
 * which other URLs they hold. Used by {@link Texts} and {@link HeaderKeys}; of one thread.
 */
final class Links {

  /** Schemes that a click opens in a browser. */
  private static final Set<String> WEB = Set.of("http", "https");

  /** Schemes that lead nowhere, or not by a click in a mail. */
  private static final Set<String> INERT =
      Set.of(
          ("mailto cid mid tel sms callto data javascript vbscript about file ftp news nntp "
                  + "blob ws wss")
              .split(" "));

  /** Characters of all links of a mail, relative ones with what they are relative to. */
  static final int MAX_CHARACTERS = 4 << 20;

  private final MailKeys keys;
  private int charactersLeft = MAX_CHARACTERS;

  /** Texts that were read, by place: a link that comes again is not read again. */
  private final Set<Read> read = new HashSet<>();

  private record Read(String text, Place place) {}

  Links(MailKeys keys) {
    this.keys = keys;
  }

  /**
   * Takes the value of an attribute as browsers do (WHATWG URL section 4.4).
   *
   * @param base what a relative link is relative to; {@code null} for nothing, then a name below a
   *     public suffix is a link as in mail programs
   */
  void attribute(String written, @Nullable WebUrl base, Place place) {
    String value = cleaned(written);
    int colon = schemeEnd(value);
    if (colon > 0) {
      withScheme(value, value.substring(0, colon).toLowerCase(Locale.ROOT), place);
    } else if (isSlash(value, 0) && isSlash(value, 1)) {
      url(value, place);
    } else if (base != null) {
      relative(value, base, place);
    } else if (InnerUrls.beginsWithName(value)) {
      url(value, place);
    }
  }

  private void withScheme(String value, String scheme, Place place) {
    if (WEB.contains(scheme)) {
      url(value, place);
    } else if (!INERT.contains(scheme)) {
      // Another program opens a host (webcal://example.com/) or a URL (ms-word:ofe|u|https://...).
      String rest = value.substring(scheme.length() + 1);
      if (rest.startsWith("//") && InnerUrls.beginsWithName(rest.substring(2))) {
        url(rest, place);
      }
      InnerUrls.of(" " + rest).forEach(inner -> url(inner, place));
    }
  }

  private void relative(String value, WebUrl base, Place place) {
    if (value.isEmpty() || value.charAt(0) == '#') {
      return;
    }
    String page = base.toString();
    int kept =
        isSlash(value, 0)
            ? base.hostEnd()
            : value.charAt(0) == '?'
                ? base.pathEnd()
                : page.lastIndexOf('/', base.pathEnd() - 1) + 1;
    if (isAffordable(kept + value.length())) {
      url("//" + page.substring(0, kept) + value, place);
    }
  }

  /** A base of 4 kB that 200,000 short links share would otherwise fill the memory. */
  private boolean isAffordable(int characters) {
    if (characters > charactersLeft) {
      keys.odd(Oddity.MANY_KEYS);
    }
    return characters <= charactersLeft;
  }

  /** Takes a URL as it is written, with its scheme or behind two slashes. */
  void url(String text, Place place) {
    if (!isAffordable(text.length()) || !read.add(new Read(text, place))) {
      return;
    }
    charactersLeft -= text.length();
    Optional<WebUrl> found = keys.asked(text);
    if (found.isEmpty()) {
      return;
    }
    WebUrl url = found.get();
    keys.url(url, place);
    Place inside = place == Place.OPEN ? Place.NESTED : place;
    if (Redirectors.isRedirector(url.host())) {
      for (Redirectors.Target target : Redirectors.targets(url, text)) {
        keys.url(target.url(), target.followed() ? place : inside);
      }
    }
    for (String inner : InnerUrls.of(text)) {
      keys.asked(inner).ifPresent(target -> keys.url(target, inside));
    }
  }

  /** Octets of memory that the texts take, about. */
  long octets() {
    return 64L * read.size() + MAX_CHARACTERS - charactersLeft;
  }

  /** Removes control characters and spaces around, and line breaks and tabs inside. */
  private static String cleaned(String value) {
    return value.trim().replace("\t", "").replace("\r", "").replace("\n", "");
  }

  private static boolean isSlash(String text, int at) {
    return at < text.length() && (text.charAt(at) == '/' || text.charAt(at) == '\\');
  }

  /** Finds the colon of a scheme; -1 for none; RFC 3986 section 3.1. */
  private static int schemeEnd(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
      if (c == ':') {
        return i > 0 ? i : -1;
      }
      if (!letter && (i == 0 || !((c >= '0' && c <= '9') || "+-.".indexOf(c) >= 0))) {
        return -1;
      }
    }
    return -1;
  }
}
