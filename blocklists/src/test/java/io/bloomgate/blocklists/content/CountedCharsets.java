package io.bloomgate.blocklists.content;

import java.nio.charset.Charset;
import java.nio.charset.spi.CharsetProvider;
import java.util.Collections;
import java.util.Iterator;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Knows no charset, and counts how often one is asked for whose name begins with {@code counted}.
 * Found by the JDK as a service; any thread.
 */
public final class CountedCharsets extends CharsetProvider {

  static final AtomicLong ASKED = new AtomicLong();

  @Override
  public Iterator<Charset> charsets() {
    return Collections.emptyIterator();
  }

  @Override
  public @Nullable Charset charsetForName(String name) {
    if (name.toLowerCase(Locale.ROOT).startsWith("counted")) {
      ASKED.incrementAndGet();
    }
    return null;
  }
}
