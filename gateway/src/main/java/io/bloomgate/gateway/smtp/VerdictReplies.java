package io.bloomgate.gateway.smtp;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.config.settings.Check;
import java.time.Duration;

/**
 * The only place where list verdicts are worded (contract, section 4). Pure; called by sessions and
 * by {@code explain}. Every line keeps {@link Reply#MAX_LINE_OCTETS}.
 */
public final class VerdictReplies {

  private static final int MAX_SUBJECT_CHARACTERS = 200;
  private static final int MAX_FEED_CHARACTERS = 64;
  private static final int MAX_NAME_CHARACTERS = 120;
  private static final int MAX_LISTS_CHARACTERS = 100;
  private static final int MAX_URL_CHARACTERS = 150;

  private VerdictReplies() {}

  /**
   * The refusal of a connection's, HELO's or sender's listing.
   *
   * @param helpUrl where the sender may read more; empty for none
   * @param id incident id; empty for none
   */
  public static Reply reject(Verdict.Reject verdict, String helpUrl, String id) {
    return Reply.of(554, "5.7.1", text(verdict.ground(), helpUrl, id));
  }

  /** The refusal for now. 450 would be banned by the stock fail2ban filter. */
  public static Reply tempfail(Verdict.Tempfail verdict, String helpUrl, String id) {
    return switch (verdict.ground()) {
      case Ground.Exact ground -> Reply.of(451, "4.7.1", text(ground, helpUrl, id));
      case Ground.Failed ignored ->
          Reply.of(
              451, "4.3.0", "A check could not be carried out; try again later" + reference(id));
    };
  }

  /**
   * The request to come again. It says when, because a person who reads it cannot know.
   *
   * @param delay as the settings have it
   */
  public static Reply greylist(
      Verdict.Greylist verdict, Duration delay, String helpUrl, String id) {
    String first =
        "Greylisted, try again in "
            + minutes(delay)
            + "; "
            + listing(verdict.ground(), "is listed by ", helpUrl);
    return Reply.of(451, "4.7.1", first + reference(id));
  }

  private static String minutes(Duration delay) {
    long minutes = Math.ceilDiv(delay.toSeconds(), 60);
    return minutes + (minutes == 1 ? " minute" : " minutes");
  }

  /** The same text as a banner that ends the session for now: 421, RFC 5321 section 3.8. */
  public static Reply closing(Reply refusal) {
    String enhanced = "4" + refusal.enhanced().substring(1);
    return new Reply(421, enhanced, refusal.lines());
  }

  private static String text(Ground.Exact ground, String helpUrl, String id) {
    return "Service unavailable; " + listing(ground, "blocked using ", helpUrl) + reference(id);
  }

  private static String listing(Ground.Exact ground, String by, String helpUrl) {
    StringBuilder text = new StringBuilder();
    text.append(subjectClass(ground.check()))
        .append(" [")
        .append(Escape.text(ground.subject().toString(), MAX_SUBJECT_CHARACTERS))
        .append("] ")
        .append(ground instanceof Ground.BySign shown ? words(shown) : by + lists(ground));
    if (isSpeakable(helpUrl)) {
      text.append("; see ").append(helpUrl);
    }
    return text.toString();
  }

  /** The list that decided; of a rule all lists that counted, as far as a line has room. */
  private static String lists(Ground.Exact ground) {
    if (!(ground instanceof Ground.RuleMet met)) {
      return Escape.text(ground.source(), MAX_FEED_CHARACTERS);
    }
    StringBuilder names = new StringBuilder();
    int named = 0;
    for (Ground.OfList listed : met.counted()) {
      String name = Escape.text(listed.source(), MAX_FEED_CHARACTERS);
      if (named > 0 && names.length() + name.length() > MAX_LISTS_CHARACTERS) {
        return names + " and " + (met.counted().size() - named) + " more";
      }
      names.append(named == 0 ? "" : ", ").append(name);
      named++;
    }
    return names.toString();
  }

  /** What the client showed, in words for its administrator. */
  private static String words(Ground.BySign shown) {
    String seen = Escape.text(shown.seen(), MAX_NAME_CHARACTERS);
    return switch (shown.sign()) {
      case NO_REVERSE_NAME -> "has no reverse name (PTR) in DNS";
      case UNCONFIRMED_NAME -> "has the reverse name " + seen + ", which does not lead back to it";
      case GENERIC_NAME -> "has the reverse name " + seen + ", as pools of changing addresses have";
      case OWN_NAME_IN_HELO -> "is a name or address of this server, not of the client";
      case HELO_LITERAL_OF_OTHER -> "is not the address of the client";
      case EARLY_TALKER -> "spoke before the greeting of this server";
    };
  }

  private static String reference(String id) {
    return id.isEmpty() ? "" : " [" + id + "]";
  }

  private static String subjectClass(Check check) {
    return switch (check) {
      case CLIENT_IP, CLIENT_NAME -> "Client host";
      case HELO -> "Helo command";
      case SENDER -> "Sender address";
      case SENDER_DOMAIN -> "Sender domain";
    };
  }

  /** Comes from the settings; still, a URL that would break the line is left out. */
  private static boolean isSpeakable(String url) {
    return !url.isEmpty()
        && url.length() <= MAX_URL_CHARACTERS
        && url.chars().allMatch(c -> c > ' ' && c <= '~');
  }
}
