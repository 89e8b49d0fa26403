package io.bloomgate.blocklists.operator.migration;

import io.bloomgate.blocklists.format.PostfixAction;
import io.bloomgate.blocklists.format.PostfixKey;
import io.bloomgate.blocklists.format.PostfixLines;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.migration.Migration.Collected;
import io.bloomgate.blocklists.operator.migration.Migration.Request;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.MailAddress.Host;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A Postfix table of clients or senders as operator entries that give the same answers. A {@code
 * cidr_table(5)} answers with its first match, an {@code access(5)} table with its most specific
 * key, and operator entries with the narrowest: so a line that an earlier, wider one hides is left,
 * and {@code DUNNO} becomes an allow entry only where it takes something out of a refused network
 * or domain.
 */
final class PostfixTable {

  private static final SortedSet<Integer> NO_LINES = Collections.emptySortedSet();

  private final Request request;
  private final Collected collected;
  private final List<Statement> statements = new ArrayList<>();
  private final Map<Subject, Statement> kept = new LinkedHashMap<>();

  /** Lines of refusals that Postfix means for now only, or does not tell the client. */
  private final SortedSet<Integer> softer = new TreeSet<>();

  /**
   * A key begins with a dot: such a table is for a Postfix whose parent_domain_matches_subdomains
   * was changed, and there a key without a dot is that name alone.
   */
  private boolean dotted;

  private int conditions;

  PostfixTable(Request request, Collected collected) {
    this.request = request;
    this.collected = collected;
  }

  /** A line that was understood. */
  private record Statement(
      int line, Subject subject, PostfixAction action, String right, String text) {

    /** Only access(5) tables hold the beginning of an address. */
    boolean inAnyTable() {
      String key = text.split("\\s+", 2)[0];
      return subject instanceof IpPrefix && PostfixKey.whole(key).equals(key);
    }
  }

  void read(List<String> lines) {
    dotted = lines.stream().anyMatch(line -> line.startsWith("."));
    PostfixLines logical = new PostfixLines((text, number) -> line(number, text));
    for (int i = 0; i < lines.size(); i++) {
      logical.take(lines.get(i), i + 1);
    }
    logical.end();
    boolean firstMatch = statements.stream().allMatch(Statement::inAnyTable);
    statements.forEach(statement -> keep(statement, firstMatch));
    kept.values().forEach(this::take);
    note();
  }

  private void note() {
    if (dotted) {
      collected.note(
          "keys that begin with a dot are taken: Postfix looks them up only where"
              + " parent_domain_matches_subdomains is without smtpd_access_maps");
    }
    if (!softer.isEmpty()) {
      boolean one = softer.size() == 1;
      collected.note(
          "%s (first line %d) %s for good, with 554"
              .formatted(
                  one ? "1 line" : softer.size() + " lines",
                  softer.first(),
                  one
                      ? "refuses for now or drops the mail in Postfix; its block refuses"
                      : "refuse for now or drop the mail in Postfix; their blocks refuse"));
    }
    SortedSet<Integer> names = request.kind() == null ? collected.linesOfNames() : NO_LINES;
    if (!names.isEmpty()) {
      boolean one = names.size() == 1;
      collected.note(
          "%s (first in line %d) %s; add --kind client, helo or sender to say what the table is"
                  .formatted(
                      one ? "1 name" : names.size() + " names",
                      names.first(),
                      one
                          ? "is taken as a domain of senders and as a HELO name"
                          : "are taken as domains of senders and as HELO names")
              + " compared with");
    }
  }

  private void line(int number, String text) {
    String[] words = text.split("\\s+", 2);
    String key = words[0];
    String folded = key.toLowerCase(Locale.ROOT);
    if (folded.equals("if") || folded.equals("endif")) {
      conditions = Math.max(0, conditions + (folded.equals("if") ? 1 : -1));
      collected.leave(number, "conditions are not supported", text);
      return;
    }
    String right = words.length > 1 ? words[1] : "";
    PostfixAction action = PostfixAction.of(right);
    String reason =
        conditions > 0 || key.startsWith("!")
            ? "is under a condition; conditions are not supported"
            : action.problem().isEmpty() ? untranslatable(key) : action.problem();
    if (!reason.isEmpty()) {
      collected.leave(number, reason, text);
      return;
    }
    collected.subjects(number, ForeignKey.of(request, PostfixKey.whole(key)), text).stream()
        .filter(subject -> !dotted || key.startsWith(".") || !isBelow(subject))
        .forEach(subject -> statements.add(new Statement(number, subject, action, right, text)));
  }

  private static boolean isBelow(Subject subject) {
    return subject instanceof NamePattern pattern && !pattern.isChecked();
  }

  /** Returns why a key says something that no operator entry says; empty when one does. */
  private static String untranslatable(String key) {
    if (key.equals("<>")) {
      return "the null sender is never compared with lists";
    }
    if (key.endsWith("@")) {
      return "a local part at any domain is not supported";
    }
    return PostfixKey.network(key).equals(Parsed.bad(PostfixKey.HOST_BITS))
        ? PostfixKey.HOST_BITS
        : "";
  }

  private Stream<Statement> kept(Subject subject) {
    return Optional.ofNullable(kept.get(subject)).stream();
  }

  private void keep(Statement statement, boolean firstMatch) {
    List<Subject> hiders = firstMatch ? ancestry(statement.subject) : List.of(statement.subject);
    Optional<Statement> before = hiders.stream().flatMap(this::kept).findFirst();
    if (before.isPresent()) {
      collected.leave(
          statement.line,
          "never reached: line " + before.get().line + " matches first",
          statement.text);
    } else {
      kept.put(statement.subject, statement);
    }
  }

  private void take(Statement statement) {
    Optional<Statement> around = around(statement);
    switch (statement.action) {
      case REFUSES -> {
        if (!PostfixAction.isForGood(statement.right)) {
          softer.add(statement.line);
        }
        collected.take(
            statement.line,
            entry(ListKind.BLOCK, statement),
            around.filter(s -> s.action != PostfixAction.REFUSES).isPresent());
      }
      case PERMITS -> collected.take(statement.line, entry(ListKind.ALLOW, statement), false);
      case PASSES_ON -> {
        if (around.filter(s -> s.action == PostfixAction.REFUSES).isPresent()) {
          collected.take(statement.line, entry(ListKind.ALLOW, statement), false);
        } else {
          collected.leave(
              statement.line,
              "DUNNO is skipped: exceptions are not supported; use allow",
              statement.text);
        }
      }
      case RESTRICTIONS, CODE_ALONE, OTHER, MISSING ->
          throw new IllegalStateException("left before: " + statement);
    }
  }

  /** The text behind the action is the reason. */
  private NewEntry entry(ListKind list, Statement statement) {
    String[] words = statement.right.split("\\s+", 2);
    return request.entry(list, statement.subject, statement.line, words.length > 1 ? words[1] : "");
  }

  /** The narrowest statement that would answer if this one were missing. */
  private Optional<Statement> around(Statement statement) {
    return ancestry(statement.subject).stream().skip(1).flatMap(this::kept).findFirst();
  }

  /** The subject itself and everything around it, narrowest first; at most 253. */
  private static List<Subject> ancestry(Subject subject) {
    List<Subject> around = new ArrayList<>();
    around.add(subject);
    switch (subject) {
      case IpPrefix prefix -> {
        for (int length = prefix.length() - 1; length >= 0; length--) {
          around.add(IpPrefix.around(prefix.network(), length));
        }
      }
      case DomainName name -> parents(name, 1, around);
      case NamePattern pattern ->
          pattern.domain().ifPresent(name -> parents(name, pattern.isChecked() ? 0 : 1, around));
      case MailAddress address -> {
        if (address.host() instanceof Host.Name(DomainName name)) {
          parents(name, 0, around);
        }
      }
      case WebUrl _, Fingerprint _, Likeness _, AsNumber _ -> {}
    }
    return around;
  }

  private static void parents(DomainName name, int from, List<Subject> around) {
    for (int label = from; label <= name.labels() - 2; label++) {
      around.add(NamePattern.below(name.from(label).toString()));
      around.add(name.from(label));
    }
  }
}
