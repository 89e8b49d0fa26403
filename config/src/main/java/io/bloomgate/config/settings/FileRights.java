package io.bloomgate.config.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Owner, group and mode of a file. Immutable; used by {@link GatewayUser}.
 *
 * @param mode the nine bits of chmod
 */
record FileRights(int uid, int gid, int mode) {

  static final int READ = 4;
  static final int WRITE = 2;
  static final int SEARCH = 1;

  private static final int BITS = 3;

  /** Says whether a user has a right. */
  enum Answer {
    YES,
    /**
     * The user's groups give no right; but the bits of the group may be those of an access list
     * (acl(5)).
     */
    PERHAPS,
    NO
  }

  /**
   * The rights of a file; empty for a file that does not exist or cannot be seen, and on systems
   * without such rights.
   */
  static Optional<FileRights> of(Path file) {
    try {
      Map<String, Object> found = Files.readAttributes(file, "unix:uid,gid,mode");
      return found.get("uid") instanceof Integer uid
              && found.get("gid") instanceof Integer gid
              && found.get("mode") instanceof Integer mode
          ? Optional.of(new FileRights(uid, gid, mode))
          : Optional.empty();
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Answers whether the user has all rights of these bits. */
  Answer permits(GatewayUser user, int right) {
    if (user.uid() == 0) {
      return Answer.YES;
    }
    if (user.uid() == uid) {
      return answer(mode >> (2 * BITS), right);
    }
    if (user.groups().contains(gid)) {
      return answer(mode >> BITS, right);
    }
    return answer(mode, right) == Answer.NO && groupHas(right)
        ? Answer.PERHAPS
        : answer(mode, right);
  }

  boolean groupHas(int right) {
    return answer(mode >> BITS, right) == Answer.YES;
  }

  private static Answer answer(int bits, int right) {
    return (bits & right) == right ? Answer.YES : Answer.NO;
  }
}
