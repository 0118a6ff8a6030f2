import org.flywaydb.core.Flyway;

/** Runs Flyway: Fly JDBC-URL USER PASSWORD FOLDER. */
class Fly {
    public static void main(String[] args) {
        int applied = Flyway.configure()
                .dataSource(args[0], args[1], args[2])
                .locations("filesystem:" + args[3])
                .load()
                .migrate()
                .migrationsExecuted;
        System.out.println(applied);
    }
}
