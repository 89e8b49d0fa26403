package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.blocklists.sessions.Evidence.Decision;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.settings.LogSettings.Privacy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The facts that few sessions have, as JSON has them: a part of {@link Evidence}, made with it.
 * Immutable.
 *
 * @param clientName of the client's address, as far as it was looked up
 * @param early the client spoke before the banner
 * @param known mail of the sender was accepted before; only looked up where a rule asks
 * @param refusedToo a list refused a recipient, beside the answer in {@code decision}
 * @param masked texts that are not the original ones, because {@link Privacy} masked them
 * @param bulk how many copies of its mail passed; {@code null} for few
 * @param passed why lists did not stop it and whom it was forwarded for, as fields of a log line
 * @param connection its id, the same for all transactions of a connection; empty when unknown
 * @param messageId of the header, without angle brackets; empty when unknown
 * @param profile of the recipient and its entry; empty for none, and where nothing was found
 * @param allTo the recipients of a mail with several, the first {@link #MAX_RECIPIENTS}, those who
 *     got it before others; empty for one, and where addresses are masked
 * @param droppedFor recipients whose copy was answered 250 and ended here
 * @param answers the others of the transaction, the first of many; only where one answer of it was
 *     looked for
 */
public record RareFacts(
    @Rare String clientName,
    @Rare ClientName.State clientNameState,
    @Rare boolean early,
    @Rare boolean known,
    @Rare boolean refusedToo,
    @Rare Set<Missing> masked,
    @Rare @Nullable Bulk bulk,
    @Rare Map<String, String> passed,
    @Rare String connection,
    @Rare String messageId,
    @Rare String profile,
    @Rare List<String> allTo,
    @Rare List<String> droppedFor,
    @Rare List<Answer> answers) {

  /** Recipients of one mail that are kept by name. */
  public static final int MAX_RECIPIENTS = 20;

  /** The length of all their names together, in characters. */
  public static final int MAX_RECIPIENTS_LENGTH = 512;

  public static final RareFacts NOTHING = new RareFacts(ClientName.UNKNOWN, false, false);

  public RareFacts {
    masked = Set.copyOf(masked);
    allTo = List.copyOf(allTo);
    droppedFor = List.copyOf(droppedFor);
    answers = List.copyOf(answers);
  }

  /** Makes the facts of one answer. */
  public RareFacts(
      String clientName,
      ClientName.State clientNameState,
      boolean early,
      boolean known,
      boolean refusedToo,
      Set<Missing> masked,
      @Nullable Bulk bulk,
      Map<String, String> passed,
      String connection,
      String messageId,
      String profile) {
    this(
        clientName,
        clientNameState,
        early,
        known,
        refusedToo,
        masked,
        bulk,
        passed,
        connection,
        messageId,
        profile,
        List.of(),
        List.of(),
        List.of());
  }

  /** Makes the facts of a session with the original texts. */
  public RareFacts(ClientName name, boolean early, boolean known) {
    this(name.name(), name.state(), early, known, false, Set.of(), null, Map.of(), "", "", "");
  }

  RareFacts ofConnection(String other) {
    return connection.equals(other) ? this : with(refusedToo, masked, other, passed, profile);
  }

  /** The same, where a list refused a recipient. */
  public RareFacts refusedToo(boolean too, Set<Missing> masks) {
    return with(too, masks, connection, passed, profile);
  }

  private RareFacts with(
      boolean too, Set<Missing> masks, String of, Map<String, String> why, String named) {
    return new RareFacts(
        clientName,
        clientNameState,
        early,
        known,
        too,
        masks,
        bulk,
        why,
        of,
        messageId,
        named,
        allTo,
        droppedFor,
        answers);
  }

  /** The same for a mail with several recipients, or with copies that ended here. */
  public RareFacts withRecipients(List<String> all, List<String> dropped) {
    return all.equals(allTo) && dropped.equals(droppedFor)
        ? this
        : new RareFacts(
            clientName,
            clientNameState,
            early,
            known,
            refusedToo,
            masked,
            bulk,
            passed,
            connection,
            messageId,
            profile,
            all,
            dropped,
            answers);
  }

  /** The same with what holds for the recipient of another answer: it is about him alone. */
  RareFacts ofRecipient(RareFacts other) {
    return with(refusedToo, masked, connection, other.passed, other.profile)
        .withRecipients(List.of(), List.of());
  }

  RareFacts beside(List<Answer> others) {
    return new RareFacts(
        clientName,
        clientNameState,
        early,
        known,
        others.stream().anyMatch(other -> other.outcome() == Outcome.REFUSED),
        masked,
        bulk,
        passed,
        connection,
        messageId,
        profile,
        allTo,
        droppedFor,
        others);
  }

  /**
   * Names another answer of the same transaction. Immutable.
   *
   * @param id as the sender saw it; empty when none was given
   * @param verdict as a word; empty when no list decided
   */
  public record Answer(
      @Rare String id, String to, @Rare String verdict, Outcome outcome, String reply) {

    static Answer of(Decision one) {
      return new Answer(one.id(), one.to(), one.verdict(), one.outcome(), one.reply());
    }
  }
}
