package io.bloomgate.gateway.decision;

import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.blocklists.key.ListKey;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.settings.Check;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The one command that undoes a refusal (promise P6). Pure. */
public final class Undo {

  /** IPv6 hosts change their address inside this network (RFC 8981); contract, section 3. */
  private static final int V6_HOST_NETWORK_BITS = 64;

  /** How {@link OperatorEntry#author} begins for an entry of a file. */
  private static final String FILE_AUTHOR = "file:";

  private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9@+=:,./_-]+");

  private static final String WHILE_LOOKING = " --expires 7d --reason \"...\"";

  private Undo() {}

  /** What allowing this client means: the host, for IPv6 its /64. */
  public static IpPrefix clientNetwork(IpAddress client) {
    return client.isV4() ? IpPrefix.host(client) : IpPrefix.around(client, V6_HOST_NETWORK_BITS);
  }

  /** The command that lets in whom an incident refused, when what was listed is not known. */
  public static String ofIncident(String id) {
    return "bloomgate allow add --incident " + id + WHILE_LOOKING;
  }

  /**
   * The command against a ground; empty for a check that failed, which no entry mends.
   *
   * @param client the client of the session, {@code null} when not known
   */
  static String command(Ground ground, @Nullable IpPrefix client) {
    return switch (ground) {
      case Ground.Blocked blocked -> unblock(blocked.block());
      case Ground.Listed listed -> allow(listed, client);
      case Ground.Failed ignored -> "";
    };
  }

  /** An entry of a list file is undone where it stands. */
  private static String unblock(OperatorEntry block) {
    return block.author().startsWith(FILE_AUTHOR)
        ? "take out the line " + block.author().substring(FILE_AUTHOR.length())
        : "bloomgate block remove " + shellWord(block.subject().toString());
  }

  /** As one word of a POSIX shell: a local part may hold anything that a shell would run. */
  static String shellWord(String text) {
    return PLAIN_WORD.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  private static String allow(Ground.Listed listed, @Nullable IpPrefix client) {
    if (listed.check() == Check.CLIENT_IP && client != null) {
      return "bloomgate allow add " + around(client) + WHILE_LOOKING;
    }
    if (listed.check() != Check.HELO) {
      return "bloomgate allow add " + shellWord(listed.subject().toString()) + WHILE_LOOKING;
    }
    // No name pardons what a client says in HELO, unless its entry says so.
    if (client != null) {
      return "bloomgate allow add " + around(client) + WHILE_LOOKING;
    }
    return switch (listed.subject()) {
      case ListKey.Domain domain ->
          "bloomgate allow add " + domain + " --scope helo" + WHILE_LOOKING;
      case ListKey.Ip ip -> "bloomgate allow add " + clientNetwork(ip.address()) + WHILE_LOOKING;
      case ListKey.Address address ->
          "bloomgate allow add " + shellWord(address.toString()) + WHILE_LOOKING;
    };
  }

  private static IpPrefix around(IpPrefix client) {
    boolean host = client.equals(IpPrefix.host(client.network()));
    return host ? clientNetwork(client.network()) : client;
  }
}
