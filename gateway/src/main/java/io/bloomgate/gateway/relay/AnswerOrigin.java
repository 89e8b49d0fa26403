package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.smtp.ReversePath;

/**
 * Whose mail {@link AnswerMemory} remembers answers for: an envelope sender as one client network
 * names it. Anybody may write any sender into MAIL FROM, so what one network provoked never counts
 * for the mail of another. Made by sessions on their threads; immutable.
 *
 * @param network the first address of {@link ClientNetwork#wide}
 */
public record AnswerOrigin(IpAddress network, ReversePath from) {

  /** Of a client's mail. */
  public static AnswerOrigin of(IpAddress client, ReversePath from) {
    return new AnswerOrigin(ClientNetwork.wide(client), from);
  }
}
