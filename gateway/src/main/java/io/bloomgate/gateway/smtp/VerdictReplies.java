package io.bloomgate.gateway.smtp;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.explain.ShownKey;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The only place where list verdicts are worded. Pure; called by sessions and by {@code explain}.
 * Every line keeps {@link Reply#MAX_LINE_OCTETS}.
 */
public final class VerdictReplies {

  private static final int MAX_SUBJECT_CHARACTERS = 200;
  private static final int MAX_FEED_CHARACTERS = 64;
  private static final int MAX_NAME_CHARACTERS = 120;
  private static final int MAX_LISTS_CHARACTERS = 100;
  private static final int MAX_URL_CHARACTERS = 150;

  /**
   * Room for what follows "Service unavailable; " or "Greylisted, try again in 99999 minutes; ",
   * with the three-digit code, its enhanced code and the end of the line before and after.
   */
  private static final int MAX_TEXT_CHARACTERS = Reply.MAX_LINE_OCTETS - 60;

  /** Octets of " and 99 more". */
  private static final int AND_MORE = 12;

  /**
   * The words after the beginning of a kind of reply.
   *
   * @param byLists before names of lists
   * @param bySigns before what the client showed, when no list counted; log readers look for the
   *     word {@code blocked}
   */
  private record Says(String byLists, String bySigns) {}

  private static final Says BLOCKED = new Says("blocked using ", "blocked: ");
  private static final Says LISTED = new Says("is listed by ", "is suspect: ");

  /** The source of an operator's block, which is no list that the sender could ask. */
  private static final String LOCAL_POLICY = "local policy";

  private static final String CLIENT_HOST = "Client host";

  private VerdictReplies() {}

  /**
   * The refusal of a listing: of the connection, HELO, the sender, or what the mail carries.
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
      case Ground.Found ground -> Reply.of(451, "4.7.1", text(ground, helpUrl, id));
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
    String first = "Greylisted, try again in " + minutes(delay) + "; ";
    return Reply.of(451, "4.7.1", first + listing(verdict.ground(), LISTED, helpUrl, id));
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

  private static String text(Ground.Found ground, String helpUrl, String id) {
    return "Service unavailable; " + listing(ground, BLOCKED, helpUrl, id);
  }

  private static String listing(Ground.Found ground, Says says, String helpUrl, String id) {
    String subject = subject(ground);
    String end = (isSpeakable(helpUrl) ? "; see " + helpUrl : "") + reference(id);
    String why =
        switch (ground) {
          case Ground.BySign shown -> words(shown);
          case Ground.RuleMet met ->
              rule(met, says, MAX_TEXT_CHARACTERS - subject.length() - end.length());
          case Ground.Blocked _ -> says.byLists() + LOCAL_POLICY;
          default -> says.byLists() + Escape.text(ground.source(), MAX_FEED_CHARACTERS);
        };
    return subject + " " + why + end;
  }

  /**
   * Returns the subject in words where it is in the sender's hands; its hash would mean nothing to
   * the sender.
   */
  private static String subject(Ground ground) {
    String subjectClass = subjectClass(ground.check());
    return switch (ground.subject()) {
      case WebUrl url ->
          subjectClass + " [" + Escape.url(url.toString(), MAX_SUBJECT_CHARACTERS) + "]";
      case Likeness _ -> subjectClass + " of this mail (like one that was blocked)";
      case Fingerprint print ->
          ground.check() == Check.ATTACHMENT
              ? subjectClass + " [SHA-256 " + ShownKey.shortened(print.toString()) + "]"
              : subjectClass + " of this mail";
      case IpAddress _, DomainName _, MailAddress _, AsNumber _ ->
          subjectClass
              + " ["
              + Escape.text(ground.subject().toString(), MAX_SUBJECT_CHARACTERS)
              + "]";
    };
  }

  /**
   * The lists that a rule counted by name, and the signs in words, as far as a line has room: the
   * name of a sign says nothing to the client's administrator.
   */
  private static String rule(Ground.RuleMet met, Says says, int room) {
    List<Ground.OfList> lists =
        met.counted().stream().filter(counted -> !(counted instanceof Ground.BySign)).toList();
    StringBuilder text = new StringBuilder();
    text.append(
        lists.isEmpty()
            ? says.bySigns()
            : says.byLists() + names(lists, room - says.byLists().length() - AND_MORE));
    int left = met.counted().size() - lists.size();
    boolean first = lists.isEmpty();
    for (Ground.OfList counted : met.counted()) {
      if (counted instanceof Ground.BySign shown) {
        String words = (first ? "" : "; ") + whose(shown, met) + " " + words(shown);
        // Without lists the reply must say one of them; it is about an address or a HELO name.
        if (!first && text.length() + words.length() + AND_MORE > room) {
          return text + " and " + left + " more";
        }
        text.append(words);
        first = false;
        left--;
      }
    }
    return text.toString();
  }

  /** Names the subject that a sign was seen at, where the reply has not just named it. */
  private static String whose(Ground.BySign shown, Ground.RuleMet met) {
    String shownClass = subjectClass(shown.check());
    boolean same =
        shownClass.equals(subjectClass(met.check()))
            && (shownClass.equals(CLIENT_HOST) || shown.subject().equals(met.subject()));
    return same ? "it" : subject(shown);
  }

  private static String names(List<Ground.OfList> lists, int room) {
    StringBuilder names = new StringBuilder();
    int named = 0;
    for (Ground.OfList listed : lists) {
      String name = Escape.text(listed.source(), MAX_FEED_CHARACTERS);
      if (named > 0 && names.length() + name.length() > Math.min(room, MAX_LISTS_CHARACTERS)) {
        return names + " and " + (lists.size() - named) + " more";
      }
      names.append(named == 0 ? "" : ", ").append(name);
      named++;
    }
    return names.toString();
  }

  /** Describes what the client showed, in words for its administrator. */
  private static String words(Ground.BySign shown) {
    String seen = Escape.text(shown.seen(), MAX_NAME_CHARACTERS);
    return switch (shown.sign()) {
      case NO_REVERSE_NAME -> "has no reverse name (PTR) in DNS";
      case UNCONFIRMED_NAME -> "has the reverse name " + seen + ", which does not lead back to it";
      case GENERIC_NAME -> "has the reverse name " + seen + ", as pools of changing addresses have";
      case OWN_NAME_IN_HELO -> "is a name or address of this server, not of the client";
      case HELO_LITERAL_OF_OTHER -> "is not the address of the client";
      case EARLY_TALKER -> "spoke before the greeting of this server";
      case BULK -> "comes in many copies from many networks";
      case PARTLY_READ -> "sends more text or links than are read of one mail";
      case MALFORMED -> "sends a mail that is against the rules of MIME";
      case LINK_TO_ADDRESS -> "is an address in place of a name";
      case FREE_MAIL_REPLY_TO -> "is a mailbox provider, and From is at another domain";
      case ODD_LETTERS -> "or Subject has letters that look like others or are invisible";
      case ADDRESS_IN_FROM_NAME -> "has the address of another domain in its name";
      case OWN_NAME_IN_FROM -> "is claimed from a network of others";
    };
  }

  private static String reference(String id) {
    return id.isEmpty() ? "" : " [" + id + "]";
  }

  private static String subjectClass(Check check) {
    return switch (check) {
      case CLIENT_IP, CLIENT_NAME -> CLIENT_HOST;
      case ASN -> "AS number of client";
      case HELO -> "Helo command";
      case SENDER -> "Sender address";
      case SENDER_DOMAIN -> "Sender domain";
      case FROM -> "From address";
      case FROM_DOMAIN -> "From domain";
      case REPLY_TO_DOMAIN -> "Reply-To domain";
      case URL -> "URL";
      case URL_HOST -> "URL host";
      case ATTACHMENT -> "Attachment";
      case SUBJECT -> "Subject";
      case BODY -> "Text";
    };
  }

  /** The list's page if the settings name one, else the general one; never the fetch URL. */
  public static String helpUrl(Ground ground, Settings settings) {
    String name = ground instanceof Ground.OfList listed ? listed.source() : "";
    Settings.Feeds.Source feed = settings.feeds().sources().get(name);
    DnsList list = settings.feeds().dnsLists().get(name);
    String own = feed != null ? feed.infoUrl() : list != null ? list.infoUrl() : "";
    return own.isEmpty() ? settings.policy().url() : own;
  }

  /** Comes from the settings; still, a URL that would break the line is left out. */
  private static boolean isSpeakable(String url) {
    return !url.isEmpty()
        && url.length() <= MAX_URL_CHARACTERS
        && url.chars().allMatch(c -> c > ' ' && c <= '~');
  }
}
