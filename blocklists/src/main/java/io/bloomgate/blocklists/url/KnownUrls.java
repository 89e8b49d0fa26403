package io.bloomgate.blocklists.url;

import io.bloomgate.config.name.WebUrl;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * URLs of a mail that are canonical as they are written behind their scheme: the text and the HTML
 * of a mail have the same links, and the second is not read again. Bounded, and a URL is looked for
 * in few places, so that links which are never the same or collide cost little more. Part of {@link
 * UrlsLeft}; of one thread.
 */
final class KnownUrls {

  /** Octets of a URL that is kept. */
  private static final int LONGEST = 256;

  private static final int FIRST_PLACES = 8;
  private static final int MOST_PLACES = 256;

  /** Octets of memory of the objects of a URL. */
  private static final int OBJECTS = 144;

  /** Places next to each other where a URL may be. */
  private static final int TRIES = 4;

  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private @Nullable WebUrl[] urls = new WebUrl[FIRST_PLACES];
  private int size;

  /** Octets of memory of what is in the places, about. */
  private int kept;

  /** The text that is asked for. */
  private byte[] octets = new byte[64];

  /** Octets of memory that it takes, about. */
  int keptOctets() {
    return kept;
  }

  /** The same of one URL, whose host is kept beside it. */
  private static int octets(WebUrl url) {
    return OBJECTS + 2 * url.octets().length;
  }

  /**
   * As {@link WebUrl#asked} reads it, {@code null} for none: what is behind the scheme alone
   * decides.
   */
  @Nullable WebUrl asked(char[] text, int from, int to, BooleanSupplier mayMap) {
    int begin = behindScheme(text, from, to);
    int length = to - begin;
    if (length > LONGEST || !take(text, begin, length)) {
      return WebUrl.asked(text, from, to, mayMap).orElse(null);
    }
    int place = place(octets, length);
    for (int i = place; i < place + TRIES; i++) {
      WebUrl known = urls[i & urls.length - 1];
      if (known == null) {
        break;
      }
      if (is(known, length)) {
        return known;
      }
    }
    WebUrl read = WebUrl.asked(text, from, to, mayMap).orElse(null);
    if (read != null && is(read, length)) {
      add(read);
    }
    return read;
  }

  /** Behind {@code http://} or {@code https://}, or behind slashes alone, however many. */
  private static int behindScheme(char[] text, int from, int to) {
    int at = from;
    if (to - from > Scheme.MAX_LENGTH && text[from] == 'h' && text[from + 1] == 't') {
      at += text[from + 4] == 's' ? 5 : 4;
      boolean http = text[from + 2] == 't' && text[from + 3] == 'p' && text[at] == ':';
      at = http && text[at + 1] == '/' ? at + 1 : from;
    }
    while (at < to && text[at] == '/') {
      at++;
    }
    return at;
  }

  /** False for a text that is not ASCII. */
  private boolean take(char[] text, int from, int length) {
    octets = octets.length < length ? new byte[LONGEST] : octets;
    int all = 0;
    for (int i = 0; i < length; i++) {
      all |= text[from + i];
      octets[i] = (byte) text[from + i];
    }
    return all < 0x80;
  }

  private int place(byte[] text, int length) {
    long hash = length;
    int i = 0;
    for (; i + Long.BYTES <= length; i += Long.BYTES) {
      hash = (hash ^ (long) LONGS.get(text, i)) * MULTIPLIER;
      hash ^= hash >>> 32;
    }
    for (; i < length; i++) {
      hash = (hash ^ text[i]) * MULTIPLIER;
    }
    return (int) (hash >>> 32) & urls.length - 1;
  }

  private boolean is(WebUrl url, int length) {
    byte[] own = url.octets();
    return Arrays.equals(own, 0, own.length, octets, 0, length);
  }

  private void add(WebUrl url) {
    if (2 * ++size > urls.length && urls.length < MOST_PLACES) {
      @Nullable WebUrl[] before = urls;
      urls = new WebUrl[2 * before.length];
      kept = 0;
      for (WebUrl one : before) {
        if (one != null) {
          put(one);
        }
      }
    }
    put(url);
  }

  /** Where there is a place, otherwise in place of another one. */
  private void put(WebUrl url) {
    int place = place(url.octets(), url.octets().length);
    int i = place;
    while (i < place + TRIES - 1 && urls[i & urls.length - 1] != null) {
      i++;
    }
    WebUrl other = urls[i & urls.length - 1];
    kept += octets(url) - (other == null ? 0 : octets(other));
    urls[i & urls.length - 1] = url;
  }
}
