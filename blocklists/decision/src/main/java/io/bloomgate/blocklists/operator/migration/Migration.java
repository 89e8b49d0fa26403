package io.bloomgate.blocklists.operator.migration;

import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorRules;
import io.bloomgate.blocklists.operator.OperatorText;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.blocklists.operator.migration.Migration.Kind;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of reading a foreign file. Made by {@link #of}; immutable.
 *
 * @param taken entries in file order
 * @param left lines that were not taken, in file order
 * @param notes what entries do in another way than the file, a sentence each
 */
public record Migration(List<Taken> taken, List<Left> left, List<String> notes) {

  /** Own domains are not known here. */
  private static final WidthRules ANY_WIDTH = new WidthRules(List.of(), List.of(), _ -> false);

  /** The program whose file it is. */
  public enum Origin implements Keyed {
    /** {@code access(5)}, {@code cidr_table(5)}, {@code postscreen_access_list}. */
    POSTFIX,
    /** Maps of multimap and of rspamd's other modules. */
    RSPAMD,
    /** Lists of Haraka's access plugin. */
    HARAKA,
    /** A subject a line. */
    LINES
  }

  /** The part of a mail that the file was compared with in its old place. */
  public enum Kind {
    /** The client: its address, or its name where DNS confirms it. */
    CLIENT,
    /** The name in HELO or EHLO. */
    HELO,
    /** The envelope sender. */
    SENDER
  }

  /**
   * Facts about a file beside its lines.
   *
   * @param kind {@code null} when each subject's own form decides
   * @param as the list for lines that do not say it themselves; {@code null} when unknown
   * @param file its name, for the reasons of the entries; empty when it has none
   */
  public record Request(Origin origin, @Nullable Kind kind, @Nullable ListKind as, String file) {

    /** The subjects of a line, or why no operator entry means the same. */
    Parsed<List<Subject>> subjects(String written) {
      return Subject.parseEntry(written).then(this::fitting).map(this::withBelow);
    }

    /** A name of clients takes the hosts below it too, as access(5) says of the client. */
    private List<Subject> withBelow(Subject subject) {
      return origin == Origin.POSTFIX && kind == Kind.CLIENT && subject instanceof DomainName name
          ? List.of(name, NamePattern.below(name.toString()))
          : List.of(subject);
    }

    private Parsed<Subject> fitting(Subject subject) {
      boolean network = subject instanceof IpPrefix;
      boolean address =
          subject instanceof MailAddress
              || (subject instanceof NamePattern pattern && pattern.isOfAddresses());
      return switch (kind) {
        case null -> Parsed.ok(subject);
        case CLIENT -> address ? Parsed.bad("a mail address is not a client") : Parsed.ok(subject);
        case HELO -> address ? Parsed.bad("a mail address is not a HELO name") : Parsed.ok(subject);
        case SENDER -> network ? Parsed.bad("a network is not a sender") : Parsed.ok(subject);
      };
    }

    /**
     * An entry that says where it is from.
     *
     * @param reason what the file says of it, empty when nothing
     */
    NewEntry entry(ListKind list, Subject subject, int line, String reason) {
      // Addresses of clients, and senders, are what addresses and names mean without a scope.
      Set<Check> scope =
          kind == Kind.HELO
              ? Set.of(Check.HELO)
              : kind == Kind.CLIENT && !(subject instanceof IpPrefix)
                  ? Set.of(Check.CLIENT_NAME)
                  : Set.of();
      String from = file.isEmpty() ? "" : file + ":" + line;
      String both =
          from.isEmpty() || reason.isEmpty() ? from + reason : reason.strip() + " (" + from + ")";
      return new NewEntry(list, subject, null, scope, false, both, null);
    }
  }

  /**
   * An entry.
   *
   * @param line counted from 1
   * @param forced true when it is inside an entry of the other list, and the same file says both
   */
  public record Taken(int line, NewEntry entry, boolean forced) {}

  /**
   * A line that was not taken.
   *
   * @param reason why, in words for the operator
   * @param text the line as it is in the file; from outside, to be escaped where it is shown
   */
  public record Left(int line, String reason, String text) {}

  /** Says whether the operator must name the list, because lines of the file do not. */
  public static boolean needsList(Origin origin) {
    return origin != Origin.POSTFIX;
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException when the request lacks the list that the origin needs
   */
  public static Migration of(Request request, List<String> lines) {
    Collected collected = new Collected();
    switch (request.origin) {
      case POSTFIX -> new PostfixTable(request, collected).read(lines);
      case RSPAMD, HARAKA, LINES -> new PlainMap(request, collected).read(lines);
    }
    return collected.migration();
  }

  /**
   * Blocks that an import skips because they lie inside an allow entry of the same file, which is
   * stored before them.
   *
   * @param added which entries are new
   * @param force the whole import is forced
   */
  public List<Left> insideNewAllows(Predicate<Taken> added, boolean force, Instant now) {
    OperatorView allows =
        OperatorView.of(
            of(ListKind.ALLOW).stream()
                .filter(added)
                .map(allow -> allow.entry.entry("of line " + allow.line, "", now))
                .toList());
    List<Left> inside = new ArrayList<>();
    for (Taken block : of(ListKind.BLOCK)) {
      OperatorRules.check(block.entry, ANY_WIDTH, allows, now, force || block.forced)
          .ifPresent(refusal ->
              inside.add(
                  new Left(
                      block.line,
                      refusal.message() + "; " + refusal.hint(),
                      OperatorText.format(block.entry))));
    }
    return inside;
  }

  /** The entries for one list, in file order. */
  public List<Taken> of(ListKind list) {
    return taken.stream().filter(one -> one.entry.list() == list).toList();
  }

  /** Collects the results of the lines. */
  static final class Collected {
    private final List<Taken> taken = new ArrayList<>();
    private final List<Left> left = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** Lines whose key is a domain's addresses alone. */
    private final SortedSet<Integer> ofDomains = new TreeSet<>();

    void take(int line, NewEntry entry, boolean forced) {
      taken.add(new Taken(line, entry, forced));
    }

    void leave(int line, String reason, String text) {
      left.add(new Left(line, reason, text));
    }

    /** Returns the subjects of the key of a line; none where it is left. */
    List<Subject> subjects(int line, Parsed<ForeignKey> key, String text) {
      return switch (key) {
        case Parsed.Bad<ForeignKey>(String reason) -> {
          leave(line, reason, text);
          yield List.of();
        }
        case Parsed.Ok<ForeignKey>(ForeignKey read, var ignored) -> {
          if (read.ofDomain()) {
            ofDomains.add(line);
          }
          yield read.subjects();
        }
      };
    }

    void note(String sentence) {
      notes.add(sentence);
    }

    /** Lines of which a domain was taken. */
    SortedSet<Integer> linesOfNames() {
      return taken.stream()
          .filter(one -> one.entry().subject() instanceof DomainName)
          .map(Taken::line)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private Migration migration() {
      if (!ofDomains.isEmpty()) {
        note(
            (ofDomains.size() == 1 ? "1 line" : ofDomains.size() + " lines")
                + " (first line "
                + ofDomains.first()
                + ") name the addresses of a domain alone; an entry is the domain, its addresses"
                + " and all names below it");
      }
      return new Migration(
          taken.stream().sorted(Comparator.comparingInt(Taken::line)).toList(),
          left.stream().sorted(Comparator.comparingInt(Left::line)).toList(),
          List.copyOf(notes));
    }
  }
}
