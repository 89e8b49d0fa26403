package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.name.AlikeEntry;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Sign;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reason of a verdict. Immutable. */
public sealed interface Ground {

  /** The part of the transaction that was compared. */
  Check check();

  /** The key that was asked. */
  ListKey subject();

  /** True for what the content of the mail shows, alone or as part of a rule. */
  default boolean isOfContent() {
    return this instanceof RuleMet met
        ? met.counted().stream().anyMatch(Ground::isOfContent)
        : Check.OF_CONTENT.contains(check());
  }

  /**
   * The effect that it has alone, as the action that asks for it: a failed check puts mail off
   * where {@code on_error} says so.
   */
  default Action strength() {
    return switch (this) {
      case Found found -> found.action();
      case Failed _ -> Action.TEMPFAIL;
    };
  }

  /**
   * A finding of a check: the only kind that may refuse mail for good, and of two families only.
   */
  sealed interface Found extends Ground permits Exact, Asked, OfList {
    /**
     * The feed's name, or {@code operator} for the operator's own block list: what a reply names.
     */
    String source();

    /** The canonical text of the entry. */
    String entry();

    /** The line of the entry in its feed; 0 for entries of the operator, which have none. */
    default int line() {
      return 0;
    }

    /**
     * The action that the list, the rule or the operator asks for, or a weaker one that is left of
     * it.
     */
    Action action();

    /** The reason why that is less. */
    Weakness weakness();

    /** The same with a weaker action. */
    default Found weakened(Action left, Weakness why) {
      return switch (this) {
        case Listed(var check, var subject, var listing, _, _) ->
            new Listed(check, subject, listing, left, why);
        case Blocked(var check, var subject, var block, _, _) ->
            new Blocked(check, subject, block, left, why);
        case ByDns(var listing, _, _) -> new ByDns(listing, left, why);
        case BySign(var sign, var subject, var client, var seen, _, _) ->
            new BySign(sign, subject, client, seen, left, why);
        case RuleMet(var rule, var needed, var counted, var where, _, _) ->
            new RuleMet(rule, needed, counted, where, left, why);
      };
    }
  }

  /** Confirmed by the exact index or by the entries of the operator; no filter is ever enough. */
  sealed interface Exact extends Found permits Listed, Blocked {}

  /**
   * A finding that the settings ask for, of a DNS list, of the session itself, or of several lists.
   */
  sealed interface Asked extends Found permits ByDns, BySign, RuleMet {}

  /** The finding of one list or sign; {@link ListRule rules} count these. */
  sealed interface OfList extends Found permits Listed, ByDns, BySign {
    /**
     * The narrowness of the entry: of two equally strong listings the narrower one decides. Who is
     * asked does not say how wide its entry is.
     */
    default int narrowness() {
      return 0;
    }
  }

  /**
   * A feed's listing.
   *
   * @param action what is left of what the feed asks for
   * @param weakness why that is less than the feed asks for
   */
  record Listed(Check check, ListKey subject, Listing listing, Action action, Weakness weakness)
      implements Exact, OfList {

    /** A listing that counts in full. */
    public Listed(Check check, ListKey subject, Listing listing, Action action) {
      this(check, subject, listing, action, Weakness.NONE);
    }

    @Override
    public String source() {
      return listing.feed();
    }

    @Override
    public String entry() {
      return listing.entry().text();
    }

    @Override
    public int line() {
      return listing.entry().line();
    }

    @Override
    public int narrowness() {
      return listing.entry().subject().narrowness();
    }
  }

  /**
   * The answer of a DNS list about this very subject.
   *
   * @param action what is left of what the list asks for
   */
  record ByDns(DnsListing listing, Action action, Weakness weakness) implements Asked, OfList {

    /** An answer that counts in full. */
    public ByDns(DnsListing listing, Action action) {
      this(listing, action, Weakness.NONE);
    }

    @Override
    public Check check() {
      return listing.check();
    }

    @Override
    public ListKey subject() {
      return listing.subject();
    }

    @Override
    public String source() {
      return listing.list();
    }

    /** The answer and the zone that gave it. */
    @Override
    public String entry() {
      return listing.answer() + " from " + listing.zone();
    }

    /** The subject alone, as a list entry: what protected sets are compared with. */
    ListEntry asEntry() {
      return entryOf(subject());
    }
  }

  private static ListEntry entryOf(ListKey subject) {
    return switch (subject) {
      case IpAddress address -> new ListEntry.Network(IpPrefix.host(address), false, 0);
      case DomainName name -> new ListEntry.Domain(name, ListEntry.NameMatch.EXACT, false, 0);
      case MailAddress address -> new ListEntry.Address(address, false, 0);
      case WebUrl url -> new ListEntry.Url(url, false, 0);
      case Fingerprint print -> new ListEntry.Hash(print, false, 0);
      case Likeness _, AsNumber _ ->
          throw new IllegalStateException("no DNS list is asked for texts or AS numbers");
    };
  }

  /**
   * A sign of the client: the session itself is the evidence. Rules count it as they count a list.
   *
   * @param subject the client's address, or what HELO said
   * @param client whose session it is
   * @param seen what was seen, in printable ASCII
   * @param action what the settings ask for
   */
  record BySign(
      Sign sign, ListKey subject, IpAddress client, String seen, Action action, Weakness weakness)
      implements Asked, OfList {

    /** A sign that counts in full. */
    public BySign(Sign sign, ListKey subject, IpAddress client, String seen, Action action) {
      this(sign, subject, client, seen, action, Weakness.NONE);
    }

    @Override
    public Check check() {
      return sign.check();
    }

    @Override
    public String source() {
      return sign.key();
    }

    @Override
    public String entry() {
      return seen;
    }

    /** The client, as a list entry: what protected sets are compared with. */
    ListEntry asEntry() {
      return new ListEntry.Network(IpPrefix.host(client), false, 0);
    }
  }

  /** A reason why a listing counts less than its feed asks for; {@code explain} shows the words. */
  enum Weakness implements Keyed {
    /** The listing counts in full. */
    NONE(""),
    /** The feed is older than {@code stale_after}. */
    STALE("stale"),
    /** The feed is older than {@code expire_after}. */
    EXPIRED("expired"),
    /** A name in plain text without scheme. */
    SCHEMELESS("schemeless"),
    /** The key is in a mail inside the mail, or in a report about another mail or address. */
    NESTED("nested"),
    /**
     * A DNS list says it of a good name that was abused, or a list of senders of the address of a
     * link.
     */
    INDIRECT("indirect"),
    /** The key is of the content, and one of the recipients is exempt. */
    EXEMPT("exempt_recipient"),
    /** The profile of the recipient lets it do no more. */
    PROFILE("profile"),
    /** The mail comes from a trusted forwarder, who would bounce it. */
    FORWARDED("forwarded");

    private final String word;

    Weakness(String word) {
      this.word = word;
    }

    /** The word in JSON and for people; empty for {@code NONE}. */
    @Override
    public String key() {
      return word;
    }
  }

  /**
   * A rule of the settings whose lists list the session, none of them strongly enough alone.
   *
   * @param counted what counted, one for each list or family of lists; never empty
   * @param where whose the client's network is, for a rule that asks for it; never counted
   * @param action what is left of what the rule asks for
   * @param weakness why that is less than the rule asks for
   */
  record RuleMet(
      ListRule rule,
      int needed,
      List<OfList> counted,
      List<AsnAnswer> where,
      Action action,
      Weakness weakness)
      implements Asked {

    public RuleMet {
      counted = List.copyOf(counted);
      where = List.copyOf(where);
    }

    /** A rule for clients anywhere. */
    public RuleMet(
        ListRule rule, int needed, List<OfList> counted, Action action, Weakness weakness) {
      this(rule, needed, counted, List.of(), action, weakness);
    }

    @Override
    public Check check() {
      return counted.getFirst().check();
    }

    @Override
    public ListKey subject() {
      return counted.getFirst().subject();
    }

    /** The rule's name. */
    @Override
    public String source() {
      return rule.name();
    }

    /** The lists that counted, and whose network the client is in where that counted too. */
    @Override
    public String entry() {
      return Stream.concat(counted.stream().map(OfList::source), where.stream().map(AsnAnswer::key))
          .collect(Collectors.joining(","));
    }
  }

  /**
   * An entry of the operator's block list.
   *
   * @param action what is left of a refusal
   * @param weakness why that is less
   */
  record Blocked(
      Check check, ListKey subject, OperatorEntry block, Action action, Weakness weakness)
      implements Exact {

    /** A block that counts in full. */
    public Blocked(Check check, ListKey subject, OperatorEntry block) {
      this(check, subject, block, Weakness.NONE);
    }

    /** A block that does no more than tag where there is a reason. */
    public Blocked(Check check, ListKey subject, OperatorEntry block, Weakness weakness) {
      this(check, subject, block, weakness == Weakness.NONE ? Action.REJECT : Action.TAG, weakness);
    }

    @Override
    public String source() {
      return "operator";
    }

    /**
     * The text of the entry; for a likeness, whose text nobody would read, the entry's id and how
     * much is equal.
     */
    @Override
    public String entry() {
      return subject instanceof Likeness asked && block.subject() instanceof Likeness stored
          ? AlikeEntry.of(block.id(), asked, stored).toString()
          : block.subject().toString();
    }
  }

  /** A check that could not be carried out; {@code detail} is for the log only. */
  record Failed(Check check, ListKey subject, String detail) implements Ground {}
}
