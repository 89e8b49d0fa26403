package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.file.StateLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * A state directory that is a mount point, while root fills it in place: it belongs to root alone,
 * so that the gateway's user, who may be in other hands, cannot put a link where root writes. Used
 * by {@link Restore}; one thread. Immutable.
 *
 * @param owner who has it before and afterwards
 * @param mode before and afterwards
 */
record MountFill(Path stateDir, Owner owner, Set<PosixFilePermission> mode) {

  MountFill {
    mode = Set.copyOf(mode);
  }

  /** Takes the directory, if this process is not its owner. */
  static MountFill close(Path stateDir, Owner owner) throws IOException {
    MountFill fill = new MountFill(stateDir, owner, Files.getPosixFilePermissions(stateDir));
    Optional<Owner> self = Owner.ofThisProcess();
    if (self.isPresent() && !self.get().user().equals(owner.user())) {
      self.get().give(stateDir);
      Files.setPosixFilePermissions(stateDir, PosixFilePermissions.fromString("rwx------"));
    }
    return fill;
  }

  /** Gives the directory back. */
  void open() throws IOException {
    Files.setPosixFilePermissions(stateDir, mode);
    owner.give(stateDir);
  }

  /**
   * Who had a directory that a restore took and did not give back, because it was killed: the lock
   * in it still belongs to that user. Empty for any other directory.
   */
  static Optional<Owner> ownerBefore(Path stateDir) {
    Optional<Owner> taken =
        Owner.of(stateDir)
            .filter(now -> Owner.ofThisProcess().filter(self -> isUser(self, now)).isPresent());
    return taken.flatMap(_ -> Owner.of(stateDir.resolve(StateLock.FILE_NAME)));
  }

  private static boolean isUser(Owner one, Owner other) {
    return one.user().equals(other.user());
  }
}
