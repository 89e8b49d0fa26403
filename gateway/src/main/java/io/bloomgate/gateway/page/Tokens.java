package io.bloomgate.gateway.page;

import io.bloomgate.config.settings.SecretFile;
import io.bloomgate.config.settings.TokenFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the page and of the metrics, read at each request: one that was taken out of its
 * file counts no more. Called on the threads of HTTP requests.
 *
 * @param reading the file of the token that reads
 * @param writing the file of names and tokens that may change something; {@code null} for none
 */
record Tokens(Path reading, @Nullable Path writing) {

  /**
   * The owner of a token.
   *
   * @param author empty for the token that only reads
   */
  record Owner(String author) {
    boolean mayWrite() {
      return !author.isEmpty();
    }
  }

  /** Reads the file of the token that reads, to see that it can be used. */
  void check() throws SecretFile.UnusableException {
    SecretFile.read(reading);
  }

  /**
   * The owner of a token; each known token is compared in full, whatever the given one is.
   *
   * @throws SecretFile.UnusableException when a file cannot be used
   */
  Optional<Owner> owner(String given) throws SecretFile.UnusableException {
    Owner found = same(SecretFile.read(reading), given) ? new Owner("") : null;
    if (writing != null) {
      for (Map.Entry<String, String> token : TokenFile.read(writing).entrySet()) {
        if (same(token.getValue(), given)) {
          found = new Owner(token.getKey());
        }
      }
    }
    return Optional.ofNullable(found);
  }

  /** Compares in a time that says nothing of where the texts differ. */
  static boolean same(String known, String given) {
    return MessageDigest.isEqual(
        known.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }
}
