package io.bloomgate.blocklists.guard;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Senders that are known to be good, arranged so that an entry of a list finds those it would hit.
 *
 * <p>A subject may be hit in several ways: a mail address by each form it is asked in, and by its
 * domain. The ways are numbered, networks first, then names, then mail addresses; in each table
 * those that one entry can hit stand side by side. Immutable; made once for a build or a test.
 */
public final class KnownGoodSet {

  /** Subjects that are looked for; more would cost a build too much memory. */
  public static final int MAX_SUBJECTS = 500_000;

  /** No subjects. */
  public static final KnownGoodSet EMPTY = new Builder().build();

  private final Builder subjects;
  private final NetworkTable networks;
  private final NameTable names;
  private final NameTable addresses;
  private final Set<DomainName> parents;

  private KnownGoodSet(Builder subjects) {
    this.subjects = subjects;
    this.networks = new NetworkTable(subjects.networks);
    this.names = new NameTable(subjects.names);
    this.addresses = new NameTable(subjects.addresses);
    this.parents = subjects.parents;
  }

  /** A key under which a subject is found. */
  record Way<K>(K key, int subject) {}

  /** Takes subjects, up to {@link #MAX_SUBJECTS}. One thread. */
  public static final class Builder {
    private final List<String> files = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    private final List<Way<IpPrefix>> networks = new ArrayList<>();
    private final List<Way<String>> names = new ArrayList<>();
    private final List<Way<String>> addresses = new ArrayList<>();
    private final Set<DomainName> parents = new HashSet<>();
    private long omitted;

    /** A subject and where it was read: a value of {@link #files} and a line, 0 for none. */
    private record Place(Object subject, int file, int line) {}

    /** A host or a network. */
    public void add(IpPrefix network, String file, int line) {
      if (take(network, file, line)) {
        networks.add(new Way<>(network, places.size() - 1));
      }
    }

    /** A domain, by that very name. */
    public void add(DomainName name, String file, int line) {
      if (take(name, file, line)) {
        addName(name);
      }
    }

    /** A mail address, which also is mail from its domain or address literal. */
    public void add(MailAddress address, String file, int line) {
      if (!take(address, file, line)) {
        return;
      }
      for (MailAddress form : address.askedForms()) {
        addresses.add(new Way<>(form.toString(), places.size() - 1));
      }
      switch (address.host()) {
        case MailAddress.Host.Name(DomainName name) -> addName(name);
        case MailAddress.Host.Literal(var literal) ->
            networks.add(new Way<>(IpPrefix.host(literal), places.size() - 1));
      }
    }

    private void addName(DomainName name) {
      names.add(new Way<>(reversed(name), places.size() - 1));
      for (int label = 0; label <= name.labels() - 2; label++) {
        parents.add(name.from(label));
      }
    }

    private boolean take(Object subject, String file, int line) {
      if (places.size() == MAX_SUBJECTS) {
        omitted++;
        return false;
      }
      if (files.isEmpty() || !files.getLast().equals(file)) {
        files.add(file);
      }
      places.add(new Place(subject, files.size() - 1, line));
      return true;
    }

    /** Subjects that were not taken any more. */
    public long omitted() {
      return omitted;
    }

    /** The set; this builder is not used afterwards. */
    public KnownGoodSet build() {
      return new KnownGoodSet(this);
    }
  }

  /** True when there is nothing to look for. */
  public boolean isEmpty() {
    return subjects.places.isEmpty();
  }

  NetworkTable networks() {
    return networks;
  }

  NameTable names() {
    return names;
  }

  NameTable addresses() {
    return addresses;
  }

  /** True when a name of the set is this name or lies below it: most entries end here. */
  boolean reaches(DomainName name) {
    return parents.contains(name);
  }

  /** Number of the first way of names. */
  int firstName() {
    return networks.size();
  }

  /** Number of the first way of mail addresses. */
  int firstAddress() {
    return networks.size() + names.size();
  }

  /** The subject that a way leads to. */
  int subjectOf(int way) {
    if (way < firstName()) {
      return networks.subject(way);
    }
    return way < firstAddress()
        ? names.subject(way - firstName())
        : addresses.subject(way - firstAddress());
  }

  String text(int subject) {
    return subjects.places.get(subject).subject.toString();
  }

  String place(int subject) {
    Builder.Place place = subjects.places.get(subject);
    String file = subjects.files.get(place.file);
    return place.line == 0 ? file : file + ":" + place.line;
  }

  /** Labels from the right, each with a dot behind it, so that what is below a name follows it. */
  static String reversed(DomainName name) {
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
