package io.bloomgate.gateway.dns;

import static java.util.stream.Collectors.joining;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.SecretFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A zone of DNS lists with its key; sources with {@code dns_of} share it. Immutable but for its
 * health and places.
 *
 * @param lists that are asked by it, in file order; all say the same of the zone itself
 * @param places for questions that run: a zone that is silent keeps its own, and takes none of
 *     others
 */
record DnsZone(List<DnsList> lists, ZoneHealth health, LookupPlaces places) {

  /**
   * Questions at the same time, a share of them for one client network ({@link LookupPlaces}); more
   * get no answer.
   */
  static final int MAX_QUESTIONS = 2_000;

  DnsZone {
    lists = List.copyOf(lists);
  }

  /** Its name, without the key. */
  String name() {
    return lists.getFirst().zone();
  }

  /** The test entry of a list of names. */
  String testName() {
    return lists.getFirst().testName();
  }

  /** True when it is asked about clients, so that its test entries are addresses. */
  boolean ofAddresses() {
    return lists.stream().anyMatch(list -> list.checks().contains(Check.CLIENT_IP));
  }

  /** True when the answer is a listing of any of its lists. */
  boolean lists(DnsAnswer answer) {
    return answer instanceof DnsAnswer.Codes codes
        && lists.stream().anyMatch(list -> codes.first(list).isPresent());
  }

  /** True when its answers are sums of bits. */
  boolean isSum() {
    return lists.stream().anyMatch(DnsList::hasBits);
  }

  /** True when it knows values of files only, and neither names nor addresses. */
  boolean ofFiles() {
    return lists.stream().allMatch(list -> list.checks().equals(Set.of(Check.ATTACHMENT)));
  }

  /** True when it names good senders, so that it may well name most of those who come. */
  boolean ofGoodSenders() {
    return lists.stream().anyMatch(list -> list.action() == Action.TRUST);
  }

  /** The zone and the names that the settings have for it, for people. */
  String shown() {
    return name() + " (" + lists.stream().map(DnsList::name).collect(joining(", ")) + ")";
  }

  /** The sentence for people while it is off. */
  String alarm() {
    return "the DNS list "
        + shown()
        + " is off: "
        + health.problem()
        + "; mail is judged without it, and it is tested each minute";
  }

  /** The zone to ask, with the key in front; read each time, so that a new key counts at once. */
  String keyed() throws SecretFile.UnusableException {
    Path file = lists.getFirst().keyFile();
    if (file == null) {
      return name();
    }
    String key = SecretFile.read(file);
    if (!key.matches("[A-Za-z0-9_-]{1,63}")) {
      throw new SecretFile.UnusableException(file, "a key for DNS is one label: a-z 0-9 - _");
    }
    return key + "." + name();
  }
}
