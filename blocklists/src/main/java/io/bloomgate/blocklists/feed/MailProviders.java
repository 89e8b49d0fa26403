package io.bloomgate.blocklists.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.key.DomainName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Domains of big mailbox providers, shipped with the product: a feed that lists one of these names
 * as a whole would refuse the mail of millions. Single mailboxes there stay listable. Read once.
 */
public final class MailProviders {

  private static final String RESOURCE = "mail-providers.txt";

  private static final Set<DomainName> NAMES = read();

  private MailProviders() {}

  /** The names. */
  public static Set<DomainName> names() {
    return NAMES;
  }

  private static Set<DomainName> read() {
    try (InputStream resource =
            Objects.requireNonNull(
                MailProviders.class.getResourceAsStream(RESOURCE), "resource " + RESOURCE);
        BufferedReader lines = new BufferedReader(new InputStreamReader(resource, UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> DomainName.parse(line.strip()).toOptional().orElseThrow())
          .collect(Collectors.toUnmodifiableSet());
    } catch (IOException e) {
      throw new UncheckedIOException("resource " + RESOURCE, e);
    }
  }
}
