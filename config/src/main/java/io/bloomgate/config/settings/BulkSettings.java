package io.bloomgate.config.settings;

import io.bloomgate.config.notation.Values;
import io.bloomgate.config.notation.Values.Reader;
import io.bloomgate.config.settings.yaml.Section;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code content.bulk}: when a mail is bulk. Immutable; read by the gateway.
 *
 * @param networks of clients that sent copies of it within the window, at least
 * @param copies from which on a mail is one of many
 * @param window in which copies are counted
 * @param mails that are expected within the window; they decide the memory for counting
 */
public record BulkSettings(int networks, int copies, Duration window, int mails) {

  private static final Reader<Integer> NUMBER = Values.integer(2, 1_000_000);

  /** Reads the section; {@code null} when copies of mails are not counted. */
  static @Nullable BulkSettings bind(Section s) {
    Integer networks = s.orNone("networks", "none", Values.noted("number", NUMBER));
    int copies = s.value("copies", "50", NUMBER);
    Duration window = s.value("window", "1h", Values.duration("10m", "7d"));
    int mails = s.value("mails", "100000", Values.integer(1_000, 10_000_000));
    return networks == null ? null : new BulkSettings(networks, copies, window, mails);
  }
}
