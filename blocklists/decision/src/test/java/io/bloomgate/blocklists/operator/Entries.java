package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Entries, subjects and keys from texts, for the tests of this package. */
final class Entries {

  static final Instant NOW = Instant.parse("2026-11-21T07:30:00Z");

  /** Rules that hold nothing back. */
  static final WidthRules NO_RULES = new WidthRules(List.of(), List.of(), _ -> false);

  private static final InstantSource CLOCK = InstantSource.fixed(NOW);

  private Entries() {}

  /** The lists of this folder, without files, at {@link #NOW}. */
  static OperatorLists open(Path folder) throws OperatorListsException {
    return OperatorLists.open(folder.resolve(OperatorLists.FILE_NAME), noFiles(), CLOCK);
  }

  static ListFiles noFiles() {
    return new ListFiles(List.of(), List.of(), NO_RULES, CLOCK);
  }

  static Subject subject(String text) {
    return value(text, Subject.parse(text));
  }

  static ListKey key(String text) {
    return switch (subject(text)) {
      case IpPrefix network -> network.network();
      case DomainName domain -> domain;
      case NamePattern pattern -> throw new AssertionError(pattern + " is no key");
      case MailAddress address -> address;
      case WebUrl url -> url;
      case Fingerprint print -> print;
      case Likeness likeness -> likeness;
      case AsNumber number -> number;
    };
  }

  static IpPrefix prefix(String text) {
    return value(text, IpPrefix.parse(text));
  }

  /** The entry of a line of {@link OperatorText}. */
  static NewEntry wish(ListKind list, String line) {
    Optional<OperatorText.Line> read = value(line, OperatorText.parse(list, line));
    return read.orElseThrow(() -> new AssertionError("blank: " + line)).entry();
  }

  static NewEntry allow(String line) {
    return wish(ListKind.ALLOW, line);
  }

  static NewEntry block(String line) {
    return wish(ListKind.BLOCK, line);
  }

  static OperatorEntry stored(String id, NewEntry entry) {
    return entry.entry(id, "root", NOW);
  }

  /** All entries of both lists, in order of creation. */
  static List<OperatorEntry> all(OperatorLists lists) throws OperatorListsException {
    List<OperatorEntry> all = new ArrayList<>(all(lists, ListKind.ALLOW));
    all.addAll(all(lists, ListKind.BLOCK));
    return all;
  }

  /** All entries of a list, in order of creation. */
  static List<OperatorEntry> all(OperatorLists lists, ListKind list) throws OperatorListsException {
    List<OperatorEntry> all = new ArrayList<>();
    OperatorLists.Page<OperatorEntry> page = lists.page(list, "", 0);
    all.addAll(page.items());
    while (!page.end()) {
      page = lists.page(list, "", page.last());
      all.addAll(page.items());
    }
    return all;
  }

  private static <T> T value(String text, Parsed<T> parsed) {
    return switch (parsed) {
      case Parsed.Ok<T>(T value, var ignored) -> value;
      case Parsed.Bad<T>(String reason) -> throw new AssertionError(text + ": " + reason);
    };
  }
}
