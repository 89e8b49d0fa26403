package io.bloomgate.gateway.page;

import io.bloomgate.config.name.Role;
import io.bloomgate.config.settings.SecretFile;
import io.bloomgate.config.settings.TokenFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the page and of the metrics, read at each request: one that was taken out of its
 * file counts no more. Called on the threads of HTTP requests.
 *
 * @param reading the file of the token that reads
 * @param writing the file of names, tokens and roles; {@code null} for none
 */
record Tokens(Path reading, @Nullable Path writing) {

  /**
   * The owner of a token.
   *
   * @param name empty for the token of {@code admin.token_file}
   */
  record Owner(String name, Role role) {}

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
    Owner found = same(SecretFile.read(reading), given) ? new Owner("", Role.READ) : null;
    if (writing != null) {
      for (TokenFile.Owned owned : TokenFile.read(writing)) {
        if (same(owned.token(), given)) {
          found = new Owner(owned.name(), owned.role());
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
