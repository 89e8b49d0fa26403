package io.bloomgate.blocklists.fetch;

import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The head of an answer and its body, still to be read from the connection. Valid until its {@link
 * WebExchange} is closed.
 *
 * @param headers by name in small letters; fields that stand several times are joined by commas
 * @param body ends where the message ends; throws when the connection ends before
 */
public record WebAnswer(int status, Map<String, String> headers, InputStream body) {

  /** The value of a header, if there is one. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }
}
