package io.bloomgate.blocklists.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Domains and sending networks of big mailbox providers, shipped with the product: a feed that
 * lists one of these as a whole would refuse the mail of millions. Single mailboxes there stay
 * listable. Read once; asked by {@link ProtectedSet#of}.
 */
public final class MailProviders {

  private static final List<String> OF_PEOPLE = read("mailboxes.txt");

  private static final List<String> LINES =
      Stream.concat(OF_PEOPLE.stream(), read("mail-providers.txt").stream()).toList();

  private static final Set<DomainName> MAILBOXES = names(OF_PEOPLE);
  private static final Set<DomainName> NAMES = names(LINES);

  private static final List<DomainName> TREES =
      LINES.stream()
          .filter(line -> line.startsWith("."))
          .map(line -> name(line.substring(1)))
          .toList();

  private static final List<MailProvider> PROVIDERS =
      MailProvider.parse(read("provider-networks.txt"));

  private static final List<IpPrefix> NETWORKS =
      PROVIDERS.stream().flatMap(provider -> provider.networks().stream()).toList();

  private MailProviders() {}

  private static Set<DomainName> names(List<String> lines) {
    return lines.stream()
        .map(line -> name(line.startsWith(".") ? line.substring(1) : line))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** True for a domain below which people have mailboxes who have nothing to do with each other. */
  public static boolean hasMailboxes(DomainName name) {
    return MAILBOXES.contains(name);
  }

  /** The names. */
  public static Set<DomainName> names() {
    return NAMES;
  }

  /** Names below which there is nothing but the provider's own hosts. */
  static List<DomainName> trees() {
    return TREES;
  }

  /** Networks that the mail of all its users comes from, as the providers publish them. */
  public static List<IpPrefix> networks() {
    return NETWORKS;
  }

  /** The same networks by provider. */
  public static List<MailProvider> providers() {
    return PROVIDERS;
  }

  static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  /** The lines of a resource of this package without comments. */
  static List<String> read(String name) {
    try (InputStream resource =
            Objects.requireNonNull(
                MailProviders.class.getResourceAsStream(name), "resource " + name);
        BufferedReader lines = new BufferedReader(new InputStreamReader(resource, UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(String::strip)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("resource " + name, e);
    }
  }
}
