package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The oracle: what lists say of a key, found by reading every entry, with big numbers for networks
 * and lists of labels for names. Shares nothing with the product but the keys.
 */
final class NaiveLists {

  private record Row(int feed, String name, ListEntry entry, int width) {}

  private final List<Row> rows = new ArrayList<>();

  NaiveLists(Map<String, List<ListEntry>> feeds) {
    int number = 0;
    for (Map.Entry<String, List<ListEntry>> feed : feeds.entrySet()) {
      Map<String, ListEntry> first = new LinkedHashMap<>();
      for (ListEntry entry : feed.getValue()) {
        first.putIfAbsent(identity(entry), entry);
      }
      for (ListEntry entry : first.values()) {
        rows.add(new Row(number, feed.getKey(), entry, width(entry)));
      }
      number++;
    }
    rows.sort(Comparator.comparingInt(Row::width).thenComparingInt(Row::feed));
  }

  /** Everything but the line. */
  static String identity(ListEntry entry) {
    String mode = entry instanceof ListEntry.Domain d ? d.match().name() : "";
    return entry.getClass().getSimpleName() + mode + entry.exception() + entry.text();
  }

  /** Smaller is more specific; compared only among entries that cover one key. */
  private static int width(ListEntry entry) {
    return switch (entry) {
      case ListEntry.Network network -> -network.prefix().length();
      case ListEntry.Domain domain -> -domain.name().labels();
      case ListEntry.Address _, ListEntry.Hash _, ListEntry.As _, ListEntry.AsnRow _ -> 0;
      case ListEntry.Url url -> -url.url().octets().length;
    };
  }

  int distinctEntries() {
    return rows.size();
  }

  /** True when any entry lists the key, exceptions left aside. */
  boolean lists(ListKey key) {
    return rows.stream().anyMatch(r -> !r.entry().exception() && covers(r.entry(), key));
  }

  /** {@code feed line text} of the listings that count, most specific first, then in feed order. */
  List<String> standing(ListKey key) {
    Set<String> excepted = new HashSet<>();
    rows.stream()
        .filter(r -> r.entry().exception() && covers(r.entry(), key))
        .forEach(r -> excepted.add(r.name()));
    return rows.stream()
        .filter(r -> !r.entry().exception() && covers(r.entry(), key))
        .filter(r -> !excepted.contains(r.name()))
        .map(r -> r.name() + " " + r.entry().line() + " " + r.entry().text())
        .toList();
  }

  static boolean covers(ListEntry entry, ListKey key) {
    return switch (entry) {
      case ListEntry.Network network ->
          key instanceof IpAddress ip && contains(network.prefix(), ip);
      case ListEntry.Domain domain ->
          key instanceof DomainName asked && covers(domain, asked.toString());
      case ListEntry.Address address ->
          key instanceof MailAddress asked && asked.toString().equals(address.address().toString());
      case ListEntry.Url url -> key instanceof WebUrl asked && covers(url.url(), asked);
      case ListEntry.Hash hash ->
          key instanceof Fingerprint asked && asked.toString().equals(hash.print().toString());
      case ListEntry.As as -> as.number().equals(key);
      case ListEntry.AsnRow _ -> false;
    };
  }

  /** By texts alone: a host suffix of at most five labels, and a part of path or query. */
  private static boolean covers(WebUrl entry, WebUrl asked) {
    return asked.expressions().stream()
        .anyMatch(expression -> expression.toString().equals(entry.toString()));
  }

  private static boolean contains(IpPrefix prefix, IpAddress address) {
    if (prefix.isV4() != address.isV4()) {
      return false;
    }
    int hostBits = (prefix.isV4() ? 32 : 128) - prefix.length();
    return number(prefix.network())
        .shiftRight(hostBits)
        .equals(number(address).shiftRight(hostBits));
  }

  private static BigInteger number(IpAddress address) {
    BigInteger high = new BigInteger(Long.toUnsignedString(address.high()));
    return high.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(address.low())));
  }

  private static boolean covers(ListEntry.Domain entry, String asked) {
    List<String> listed = Arrays.asList(entry.name().toString().split("\\."));
    List<String> labels = Arrays.asList(asked.split("\\."));
    int more = labels.size() - listed.size();
    if (more < 0 || !labels.subList(more, labels.size()).equals(listed)) {
      return false;
    }
    return switch (entry.match()) {
      case EXACT -> more == 0;
      case SUFFIX -> true;
      case BELOW -> more > 0;
    };
  }
}
