package io.bloomgate.cli;

import io.bloomgate.blocklists.explain.ShownKey;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.AlikeEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.notation.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The object of {@code explain} for a person. Pure. */
final class ExplainText {

  /** Hexadecimal digits of a digest that are shown. */
  private static final int SHOWN_DIGEST = 12;

  private ExplainText() {}

  /** Shows it. */
  static void show(JsonObject e, Output out) {
    out.line(headline(e, out));
    listings(e).forEach(out::line);
    about(e, out);
    rest(e, out);
  }

  private static void about(JsonObject e, Output out) {
    Optional<JsonObject> range = e.object("range");
    range.map(ExplainText::range).ifPresent(out::line);
    if (range.isEmpty() && !isByOperatorOnly(e) && !isOfNoList(e)) {
      bloom(e).ifPresent(out::line);
    }
  }

  /**
   * True when only the operator lists it: the words that no feed lists it would read as a denial of
   * the entry that is shown above.
   */
  private static boolean isByOperatorOnly(JsonObject e) {
    return e.object("bloom").filter(bloom -> !bloom.isTrue("hit")).isPresent()
        && e.objects("listings").stream()
            .anyMatch(listing -> listing.text("feed").orElse("").equals("operator"));
  }

  /**
   * Prints what follows the listings: allow entry, incident, notes and the commands that undo it.
   */
  static void rest(JsonObject e, Output out) {
    Optional<JsonObject> now = e.object("now");
    if (now.isPresent()) {
      out.line("  now      " + IncidentText.now(e, now.get(), out));
    } else {
      out.line("  allow    " + allow(e));
    }
    e.text("incident").ifPresent(id -> out.line("  incident " + TerminalText.safe(id)));
    e.object("happened").ifPresent(h -> out.line("  happened " + IncidentText.happened(h)));
    e.object("happened").stream()
        .flatMap(h -> h.objects("answers").stream())
        .map(IncidentText::beside)
        .forEach(out::line);
    e.object("happened")
        .flatMap(h -> h.object("bulk"))
        .ifPresent(bulk -> {
          String networks = bulk.number("networks").orElse(0) == 1 ? "network" : "networks";
          out.line(
              "  bulk     {copies} copies from {networks} "
                  + networks
                  + " until then, campaign {campaign}",
              bulk);
        });
    for (JsonValue note : e.elements("notes")) {
      out.line("  note     " + HumanText.value(note));
    }
    e.text("undo").ifPresent(undo -> out.command("  undo     " + TerminalText.safe(undo)));
    for (JsonObject step : e.objects("undo_wider")) {
      out.command("  wider    " + HumanText.value(step, "command"));
      out.line("             lifts {lifts}", step);
    }
  }

  /** The line with the verdict. */
  static String headline(JsonObject e, Output out) {
    boolean past = e.text("incident").isPresent();
    boolean empty = !past && e.number("generation").orElse(-1) == 0;
    String verdict = e.text("verdict").orElse("none");
    String mode = HumanText.value(e, "mode");
    boolean spared = mode.equals("observe") && !past && !verdict.equals("accept");
    return TerminalText.safe(ShownKey.ofMail(e.text("kind").orElse(""), subject(e)))
        + " "
        + (e.text("at").isPresent() ? "by the lists of " + HumanText.value(e, "at") + " " : "")
        + (past
            ? IncidentText.met(verdict, stage(e), e) + IncidentText.change(e, out)
            : wouldMeet(verdict, e, out))
        + "   mode "
        + mode
        + (spared ? " (logged only)" : "")
        + ", "
        + (e.isTrue("offline") ? "offline, " : "")
        + (empty
            ? "no lists loaded yet"
            : isOfNoList(e) ? ofNoList(e) : "generation " + HumanText.value(e, "generation"));
  }

  /** The mail server is the last that is asked; what lists say of its refusals has a verdict. */
  private static String ofNoList(JsonObject e) {
    String outcome = e.object("happened").flatMap(h -> h.text("outcome")).orElse("");
    return outcome.startsWith("upstream_")
        ? "lists were asked and had nothing against it"
        : "no list decided it";
  }

  /** True for a mail of the past that was refused, and not because of a list. */
  private static boolean isOfNoList(JsonObject e) {
    return e.text("incident").isPresent() && e.text("verdict").isEmpty();
  }

  private static String subject(JsonObject e) {
    String subject = e.text("subject").orElse("");
    return subject.equals(ScannedMail.STANDARD_INPUT) ? "standard input" : subject;
  }

  /** The counts show how much of a network is listed. */
  private static String range(JsonObject r) {
    JsonValue first = r.elements("first").stream().findFirst().orElse(JsonValue.NULL);
    return Template.fill("  range    {#inside} of feeds inside", r)
        + counts(r, "inside_by_feed")
        + (first instanceof JsonObject one ? Template.fill(", first {entry}", one) : "")
        + Template.fill("; {around} around all of it", r)
        + counts(r, "around_by_feed");
  }

  private static String counts(JsonObject r, String name) {
    return r.object(name)
        .filter(counts -> !counts.members().isEmpty())
        .map(counts -> " (" + HumanText.value(counts) + ")")
        .orElse("");
  }

  private static boolean listsInside(JsonObject e) {
    return e.object("range").stream().anyMatch(r -> r.number("inside").orElse(0) > 0);
  }

  /** The outcome for mail of the subject in mode enforce. */
  static String wouldMeet(String verdict, JsonObject e, Output out) {
    String stage = stage(e);
    if (verdict.equals("accept") && listsInside(e)) {
      return out.palette().warn("is listed in part, see range; nothing refuses all of it");
    }
    return switch (verdict) {
      case "reject" -> out.palette().bad("would be REFUSED at " + stage);
      case "tempfail" -> out.palette().warn("would be PUT OFF at " + stage);
      case "greylist" ->
          out.palette().warn("would be GREYLISTED at " + stage + ": put off until it comes again");
      case "tag" -> out.palette().warn("would be TAGGED");
      case "accept" -> out.palette().good("would pass");
      default -> "verdict " + TerminalText.safe(verdict);
    };
  }

  private static String stage(JsonObject e) {
    return HumanText.value(e, "stage").toUpperCase(Locale.ROOT);
  }

  private static List<String> listings(JsonObject e) {
    boolean past = e.text("at").isPresent();
    return e.objects("listings").stream().flatMap(l -> listing(l, past).stream()).toList();
  }

  /** One listing with the version that it comes from. */
  static List<String> listing(JsonObject listing, boolean past) {
    List<String> lines = new ArrayList<>();
    lines.add(
        listing
            .object("rule")
            .map(rule -> rule(listing, rule))
            .orElseGet(() -> entry(listing, past)));
    version(listing).ifPresent(lines::add);
    return lines;
  }

  private static String entry(JsonObject l, boolean past) {
    String since = l.isTrue("since_at_least") ? "  at least since " : "  since ";
    return (l.text("pardon").isPresent() ? "  lifted   " : "  listed   ")
        + Template.fill("{feed}  ", l)
        + entryName(l)
        + (l.number("line").isPresent() ? Template.fill("  line {line}", l) : "")
        + (l.text("kind").isPresent() ? Template.fill("  {kind}", l) : "")
        + (l.text("since").isPresent() ? since + time(l, "since", past) : "")
        + (l.text("until").isPresent() ? " until " + time(l, "until", past) : "")
        + action(l)
        + quoted(l, "reason");
  }

  private static String action(JsonObject l) {
    return Template.fill("  action {action}", l)
        + l.text("weakness").map(w -> ": " + place(w)).orElse("")
        + (l.text("pardon").isPresent() ? Template.fill("  ({pardon})", l) : "");
  }

  private static String quoted(JsonObject of, String name) {
    boolean empty = of.text(name).orElse("").isEmpty();
    return empty ? "" : "  \"" + HumanText.value(of, name) + '"';
  }

  /** The place of the key in the mail, or the reason why its listing does no more than tag. */
  static String place(String word) {
    return switch (word) {
      case "nested" -> "in a quote or a nested message";
      case "schemeless" -> "it has no http://, so it can only tag";
      case "indirect" -> "a good name that others abused, so it counts for less";
      case "exempt_recipient" -> "one of the recipients is exempt";
      case "profile" -> "the profile of the recipient makes it weaker";
      case "forwarded" -> "it came through a trusted forwarder, which would have to bounce it";
      case "stale" -> "the list is old (stale_after)";
      case "expired" -> "the list is too old (expire_after)";
      default -> TerminalText.safe(word);
    };
  }

  /** The name of an entry; for an entry of the operator that is a hash of a text, its meaning. */
  private static String entryName(JsonObject l) {
    String entry = l.text("entry").orElse("");
    String kind = l.text("kind").orElse("");
    if (!l.text("feed").orElse("").equals("operator")) {
      return HumanText.value(l, "entry");
    }
    return AlikeEntry.parse(entry)
        .filter(_ -> kind.equals(Check.BODY.key()))
        .map(alike ->
            "a text like that of entry %s (%s hashes equal)"
                .formatted(TerminalText.safe(alike.id()), alike.shares()))
        .orElseGet(() -> TerminalText.safe(ShownKey.ofMail(kind, entry)));
  }

  /** Versions of one day differ where the past is asked. */
  private static String time(JsonObject listing, String name, boolean past) {
    String time = HumanText.value(listing, name);
    return past ? time : HumanText.day(time);
  }

  /** A rule that lists met together; the lists follow, a line each. */
  private static String rule(JsonObject l, JsonObject rule) {
    return (l.text("pardon").isPresent() ? "  lifted   " : "  rule     ")
        + Template.fill("{feed}", l)
        + Template.fill("  needs {needed}, met by {counted}", rule)
        + action(l);
  }

  /** The version of the feed that lists it, and the feed's text about the entry. */
  private static Optional<String> version(JsonObject listing) {
    return listing
        .object("version")
        .map(v -> {
          String digest = HumanText.value(v, "sha256");
          return Template.fill("             version {number} of {fetched}, sha256 ", v)
              + digest.substring(0, Math.min(SHOWN_DIGEST, digest.length()))
              + listing.text("reference").map(r -> ", " + TerminalText.safe(r)).orElse("");
        });
  }

  private static Optional<String> bloom(JsonObject e) {
    return e.object("bloom")
        .filter(b -> !b.text("filter").orElse("").isEmpty())
        .map(b -> {
          String filter = "  bloom    " + HumanText.value(b, "filter");
          if (!b.isTrue("hit")) {
            boolean past = e.text("incident").isPresent();
            return !past && e.number("generation").orElse(-1) == 0
                ? filter + " there are no lists yet, so nothing was looked up"
                : filter + " no hit: " + (past ? "not listed then" : "certainly not listed");
          }
          if (b.elements("out_of_reach").stream().findFirst().orElse(null)
              instanceof JsonObject beside) {
            return filter
                + Template.fill(
                    " hit {entry} of {feed}, line {line}, which by its match does not reach this"
                        + " name",
                    beside);
          }
          return b.isTrue("confirmed")
              ? filter + " hit, confirmed by the exact index"
              : filter + " hit by chance, the exact index has no such entry";
        });
  }

  /** The allow entry of an answer, {@code none} without one. */
  static String allow(JsonObject e) {
    return e.object("allow")
        .map(a ->
            TerminalText.safe(ShownKey.shortened(a.text("entry").orElse("-")))
                + quoted(a, "reason")
                + (a.text("author").isPresent() ? Template.fill("  by {author}", a) : "")
                + (a.text("expires").isPresent() ? Template.fill("  until {expires}", a) : ""))
        .orElse("none");
  }
}
