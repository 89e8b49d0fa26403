package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An index of subjects, which finds for each entry of a list the subjects that it lists. Used for
 * the questions of {@code feeds test} and {@code feeds diff} and for known-good senders. Immutable.
 *
 * <p>A subject may be hit in several ways: a mail address by each form it is asked in, and by its
 * domain or address literal, a web address by its expressions and its host. The ways are numbered,
 * networks first, then names, then mail addresses; the ways that one name or mail address of a list
 * can hit follow each other.
 */
final class SubjectIndex {

  /** Takes the ways that an entry hits. */
  @FunctionalInterface
  interface Hits {
    /**
     * Ways from one number up to another, exclusive.
     *
     * @param wholly false when the entry lists only a part of a network
     */
    void take(int from, int behind, boolean wholly);
  }

  /**
   * A key under which a subject is found.
   *
   * @param subject its number
   */
  record Way<K>(K key, int subject) {}

  private final NetworkTable networks;
  private final NameTable names;
  private final NameTable addresses;

  /** The names of subjects and their parents. */
  private final Set<DomainName> parents = new HashSet<>();

  /** Subjects are numbered as in the list. */
  SubjectIndex(List<Subject> subjects) {
    List<Way<IpPrefix>> networkWays = new ArrayList<>();
    List<Way<String>> nameWays = new ArrayList<>();
    List<Way<String>> addressWays = new ArrayList<>();
    for (int i = 0; i < subjects.size(); i++) {
      switch (subjects.get(i)) {
        case IpPrefix network -> networkWays.add(new Way<>(network, i));
        case DomainName name -> addName(name, i, nameWays);
        case MailAddress address -> {
          for (MailAddress form : address.askedForms()) {
            addressWays.add(new Way<>(form.toString(), i));
          }
          switch (address.host()) {
            case MailAddress.Host.Name(DomainName name) -> addName(name, i, nameWays);
            case MailAddress.Host.Literal(var literal) ->
                networkWays.add(new Way<>(IpPrefix.host(literal), i));
          }
        }
        case WebUrl url -> {
          for (WebUrl expression : url.expressions()) {
            addressWays.add(new Way<>(expression.toString(), i));
          }
          switch (url.host()) {
            case DomainName name -> addName(name, i, nameWays);
            case IpAddress host -> networkWays.add(new Way<>(IpPrefix.host(host), i));
            default -> {}
          }
        }
        case Fingerprint print -> addressWays.add(new Way<>(print.toString(), i));
        case Likeness _ -> {}
      }
    }
    this.networks = new NetworkTable(networkWays);
    this.names = new NameTable(nameWays);
    this.addresses = new NameTable(addressWays);
  }

  private void addName(DomainName name, int subject, List<Way<String>> ways) {
    ways.add(new Way<>(reversed(name), subject));
    for (int label = 0; label <= name.labels() - 2; label++) {
      parents.add(name.from(label));
    }
  }

  /** Gives all ways that an entry hits, whether it lists or takes away. */
  void find(ListEntry entry, Hits hits) {
    switch (entry) {
      case ListEntry.Network network ->
          networks.overlapping(
              network.prefix(),
              way ->
                  hits.take(
                      way, way + 1, NetworkTable.holds(network.prefix(), networks.network(way))));
      case ListEntry.Domain domain -> {
        // Most entries of most lists end here.
        if (parents.contains(domain.name())) {
          find(domain, hits);
        }
      }
      case ListEntry.Address _, ListEntry.Url _, ListEntry.Hash _ -> {
        String text = entry.subject().toString();
        give(networks.size() + names.size(), addresses.from(text), addresses.behind(text), hits);
      }
    }
  }

  private void find(ListEntry.Domain entry, Hits hits) {
    String key = reversed(entry.name());
    int first = networks.size();
    switch (entry.match()) {
      case EXACT -> give(first, names.from(key), names.behind(key), hits);
      case SUFFIX -> give(first, names.from(key), names.behindAll(key), hits);
      case BELOW -> give(first, names.behind(key), names.behindAll(key), hits);
    }
  }

  private static void give(int first, int from, int behind, Hits hits) {
    if (from < behind) {
      hits.take(first + from, first + behind, true);
    }
  }

  /** The subject that a way leads to. */
  int subject(int way) {
    int name = way - networks.size();
    if (name < 0) {
      return networks.subject(way);
    }
    return name < names.size() ? names.subject(name) : addresses.subject(name - names.size());
  }

  /** Labels from the right, each followed by a dot, so that names below a name sort after it. */
  private static String reversed(DomainName name) {
    StringBuilder out = new StringBuilder(name.length() + 1);
    String text = name.toString();
    int end = text.length();
    for (int dot = text.lastIndexOf('.'); dot >= 0; dot = text.lastIndexOf('.', dot - 1)) {
      out.append(text, dot + 1, end).append('.');
      end = dot;
    }
    return out.append(text, 0, end).append('.').toString();
  }
}
