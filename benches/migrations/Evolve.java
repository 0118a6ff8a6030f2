import com.senacor.elasticsearch.evolution.core.ElasticsearchEvolution;
import java.util.List;
import org.apache.http.HttpHost;
import org.elasticsearch.client.RestClient;

/** Runs elasticsearch-evolution: Evolve URL FOLDER. */
class Evolve {
    public static void main(String[] args) throws Exception {
        try (RestClient client = RestClient.builder(HttpHost.create(args[0])).build()) {
            int applied = ElasticsearchEvolution.configure()
                    .setLocations(List.of("file:" + args[1]))
                    .load(client)
                    .migrate();
            System.out.println(applied);
        }
    }
}
