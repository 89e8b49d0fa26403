package io.bloomgate.blocklists.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
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

  private static final List<Provider> PROVIDERS = Provider.parse(read("provider-networks.txt"));

  private static final List<IpPrefix> NETWORKS =
      PROVIDERS.stream().flatMap(provider -> provider.networks().stream()).toList();

  /**
   * Names of dynamic DNS and free hosting: below them anybody gets a name for nothing. Lists of
   * throw-away domains have such names, and with all below them they would name thousands of
   * strangers. What the Public Suffix List has is held back instead.
   */
  private static final Set<DomainName> FREE_SUBDOMAINS = names(read("free-subdomains.txt"));

  private MailProviders() {}

  /** The entry as far as it may reach: that of a name with free subdomains lists it alone. */
  static ListEntry narrowed(ListEntry entry) {
    return entry instanceof ListEntry.Domain(DomainName name, var match, var exception, var line)
            && match != ListEntry.NameMatch.EXACT
            && !exception
            && FREE_SUBDOMAINS.contains(name)
        ? new ListEntry.Domain(name, ListEntry.NameMatch.EXACT, false, line)
        : entry;
  }

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
  public static List<Provider> providers() {
    return PROVIDERS;
  }

  private static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  /** The lines of a resource of this package without comments. */
  private static List<String> read(String name) {
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

  /**
   * A large mailbox provider whose sending networks no feed may list. Shipped with the product; see
   * {@link #providers}. Immutable.
   *
   * @param records names of the SPF records in which the provider publishes its networks; empty
   *     when it publishes none
   * @param networks as they were when this release was made
   */
  public record Provider(String name, List<String> records, List<IpPrefix> networks) {

    public Provider {
      records = List.copyOf(records);
      networks = List.copyOf(networks);
    }

    /**
     * Reads the shipped file: a heading {@code [NAME: RECORD, RECORD]} and networks, a line each.
     * Pure.
     */
    static List<Provider> parse(List<String> lines) {
      List<Provider> all = new ArrayList<>();
      for (String line : lines) {
        if (line.startsWith("[")) {
          String heading = line.substring(1, line.length() - 1);
          int colon = heading.indexOf(':');
          all.add(
              new Provider(
                  colon < 0 ? heading : heading.substring(0, colon),
                  colon < 0 ? List.of() : List.of(heading.substring(colon + 1).strip().split(", ")),
                  List.of()));
        } else {
          all.add(all.removeLast().and(IpPrefix.parse(line).toOptional().orElseThrow()));
        }
      }
      return List.copyOf(all);
    }

    private Provider and(IpPrefix network) {
      List<IpPrefix> more = new ArrayList<>(networks);
      more.add(network);
      return new Provider(name, records, more);
    }
  }
}
